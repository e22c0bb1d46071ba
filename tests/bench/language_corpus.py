"""Sorts the files of source trees into a corpus of languages, for language_weights.py.

    python -m tests.bench.language_corpus CORPUS TREE...

A tree is a checkout, or any folder with sources; its name is the origin of the documents. Below
CORPUS each class gets a folder, in which a document is ORIGIN+NUMBER: a beginning, and of long
files a piece of the middle, as that is what detection sees. A file is of the class of its name.

The weights that stand in the package are those of the public repositories in ORIGINS, as of
December 2026, of what pip, npm and Debian install below site-packages, node_modules, /usr/include,
/usr/share/perl, /usr/share/man and /usr/share/doc (one half each, by the hash of the name: the
other is what is measured on), and of tables in Python packages (chardet, emoji, idna, Unidecode,
wcwidth). Never of the standard library or of github-linguist's samples, which are measured on too.
"""

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ORIGINS = """
acmesh-official/acme.sh AFNetworking/AFNetworking Alamofire/Alamofire animate-css/animate.css
apache/commons-lang awesomeWM/awesome axios/axios beyondgrep/ack3 BradLarson/GPUImage
BurntSushi/ripgrep catchorg/Catch2 citusdata/citus clap-rs/clap composer/composer
dahlbyk/posh-git DapperLib/Dapper dart-lang/http datacharmer/test_db denoland/std
elixir-ecto/ecto elixir-lang/elixir erlang/rebar3 etcd-io/etcd exiftool/exiftool felangel/bloc
FluxML/Flux.jl fmtlib/fmt gatling/gatling gin-gonic/gin git/git google/gson google/leveldb
googleapis/api-common-protos h5bp/html5-boilerplate JamesNK/Newtonsoft.Json jekyll/jekyll
jessfraz/dockerfiles JetBrains/Exposed jgm/pandoc jgthms/bulma jOOQ/sakila jqlang/jq
jquery/jquery JuliaPlots/Plots.jl JuliaStats/Distributions.jl junegunn/fzf koalaman/shellcheck
laravel/framework lerocha/chinook-database luarocks/luarocks metosin/reitit mochajs/mocha
mochi/mochiweb mojolicious/mojo necolas/normalize.css ninenines/cowboy
nvim-telescope/telescope.nvim nvm-sh/nvm ocsigen/lwt ohmyzsh/ohmyzsh openwrt/packages
pester/Pester phoenixframework/phoenix postcss/postcss PowerShellMafia/PowerSploit primer/css
processone/ejabberd puma/puma pygments/pygments rails/rails ReactiveX/RxSwift redis/redis
riemann/riemann ring-clojure/ring rstudio/shiny scala/scala-parser-combinators
ScoopInstaller/Scoop SDWebImage/SDWebImage serilog/serilog sinatra/sinatra
sindresorhus/type-fest spring-projects/spring-petclinic sqlitebrowser/sqlitebrowser
square/okhttp technomancy/leiningen terraform-aws-modules/terraform-aws-vpc TheAlgorithms/*
theory/pgtap tidyverse/dplyr tldr-pages/tldr tokio-rs/tokio typelevel/cats typeorm/typeorm
vapor/vapor vuejs/core WordPress/twentytwenty yesodweb/yesod YOURLS/YOURLS zigtools/zls
"""
CLASSES = {
    "Python": r"\.py$|\.pyi$",
    "Go": r"\.go$",
    "C or C++": r"\.(c|cc|cpp|cxx|hpp|hh)$",
    "Java": r"\.java$",
    "JavaScript": r"\.(js|mjs|cjs|jsx)$",
    "TypeScript": r"\.tsx?$|\.[cm]ts$",
    "Rust": r"\.rs$",
    "Ruby": r"\.(rb|rake|gemspec)$|(^|/)(Rakefile|Gemfile)$",
    "PHP": r"\.php$",
    "Perl": r"\.(pl|pm)$",
    "Shell": r"\.(sh|bash|zsh|bats)$",
    "C#": r"\.cs$",
    "Kotlin": r"\.kts?$",
    "Swift": r"\.swift$",
    "Scala": r"\.(scala|sbt)$",
    "Haskell": r"\.hs$",
    "Lua": r"\.(lua|rockspec)$",
    "R": r"\.[rR]$",
    "SQL": r"\.sql$",
    "Dart": r"\.dart$",
    "Objective-C": r"\.mm?$",
    "Elixir": r"\.exs?$",
    "Erlang": r"\.[eh]rl$",
    "PowerShell": r"\.psm?1$|\.psd1$",
    "Makefile": r"(^|/)(GNU)?[Mm]akefile(\.\w+)?$|\.mk$",
    "CSS": r"\.(s?css|less)$",
    "Julia": r"\.jl$",
    "Clojure": r"\.clj[cs]?$",
    "Dockerfile": r"(^|/)Dockerfile[\w.-]*$",
    "CMake": r"(^|/)CMakeLists.txt$|\.cmake$",
    "HCL": r"\.(tf|hcl|tfvars)$",
    "Protocol Buffers": r"\.proto$",
    "Zig": r"\.zig$",
    "OCaml": r"\.mli?$",
    "-changelog": r"(?i)(^|/)(changelog|changes|news|history)[^/]*$",
    "-markdown": r"\.(md|markdown)$",
    "-rst": r"\.(rst|adoc|asciidoc)$",
    "-prose": r"(^|/)(LICENSE|COPYING|README|TODO|FAQ)[^/]*$",
    "-json": r"\.json$",
    "-yaml": r"\.ya?ml$",
    "-xml": r"\.(xml|svg|csproj|plist|xib|storyboard)$",
    "-html": r"\.(html?|erb|eex|heex)$",
    "-delimited": r"\.[ct]sv$",
    "-diff": r"\.(diff|patch)$",
    "-settings": r"\.(ini|cfg|conf|toml|properties|lock)$",
    "-roff": r"\.[1-9]$",
}
NAMES = {name: re.compile(pattern) for name, pattern in CLASSES.items()}
HEADER = re.compile(r"\.h$")
# In bytes; and documents of one class and origin.
LEAST, PIECE, EACH = 1500, 24_000, 90


def class_of(path: str, languages: Counter[str]) -> str:
    """The class by name; a header is of the language that most sources of its tree are of."""
    for name, pattern in NAMES.items():
        if pattern.search(path):
            return name
    family = [name for name in ("C or C++", "Objective-C") if languages[name]]
    if HEADER.search(path):
        return max(family, key=lambda name: languages[name]) if family else "C or C++"
    return ""


def pieces(data: bytes) -> Iterator[bytes]:
    yield data[:PIECE]
    if len(data) > 3 * PIECE:
        start = data.find(b"\n", len(data) // 2) + 1
        yield data[start : start + PIECE]


def documents(tree: Path) -> Iterator[tuple[str, bytes]]:
    """Files of the tree with their classes; small ones of a class are put together."""
    paths = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    names = [str(path.relative_to(tree)) for path in paths]
    languages = Counter(class_of(name, Counter()) for name in names if not HEADER.search(name))
    small: dict[str, bytes] = {}
    # By hash, so that those left out where there are many are of every folder.
    order = sorted(zip(names, paths, strict=True), key=lambda one: digest(one[0]))
    for name, path in order:
        found = class_of(name, languages)
        if not found or path.stat().st_size > 4 << 20:
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        if len(data) < LEAST:
            small[found] = small.get(found, b"") + data
            data = small.pop(found) if len(small[found]) >= LEAST else b""
        if data:
            yield found, data


def digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def gather(corpus: Path, trees: list[Path]) -> Counter[str]:
    total: Counter[str] = Counter()
    for tree in trees:
        within: Counter[str] = Counter()
        for found, data in documents(tree):
            for piece in pieces(data):
                if within[found] < EACH:
                    within[found] += 1
                    folder = corpus / found
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / f"{tree.name}+{within[found]}").write_bytes(piece)
        total += within
    return total


if __name__ == "__main__":
    for language, count in sorted(gather(Path(sys.argv[1]), list(map(Path, sys.argv[2:]))).items()):
        print(f"{language:20} {count:6}")
