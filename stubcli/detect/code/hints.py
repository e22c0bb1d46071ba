"""What a stream, its command or its caller says of its language, without any proof."""

import re

from stubcli.detect.model import Sample
from stubcli.detect.reading import suffixes

# By suffix of a file, name of an interpreter or of an editor's mode, and MIME type.
_NAMES = {
    "Python": "py pyi pyw python pypy",
    "Go": "go golang",
    "C or C++": "c h cc cpp cxx hpp hh c++",
    "Java": "java",
    "JavaScript": "js mjs cjs jsx javascript node nodejs",
    "TypeScript": "ts tsx mts cts typescript deno",
    "Rust": "rs rust",
    "Ruby": "rb rake gemspec ruby",
    "PHP": "php",
    "Perl": "pl pm perl",
    "Shell": "sh bash zsh ksh dash ash bats",
    "C#": "cs csharp",
    "Kotlin": "kt kts kotlin",
    "Swift": "swift",
    "Scala": "scala sbt",
    "Haskell": "hs haskell runhaskell",
    "Lua": "lua luajit",
    "R": "r rscript",
    "SQL": "sql psql",
    "Dart": "dart",
    "Objective-C": "m mm objc objective-c",
    "Elixir": "ex exs elixir",
    "Erlang": "erl hrl erlang escript",
    "PowerShell": "ps1 psm1 psd1 pwsh powershell",
    "Makefile": "mk make makefile",
    "CSS": "css scss less",
    "Julia": "jl julia",
    "Clojure": "clj cljs cljc clojure",
    "Dockerfile": "dockerfile",
    "CMake": "cmake",
    "HCL": "tf hcl tfvars terraform",
    "Protocol Buffers": "proto protobuf",
    "Zig": "zig",
    "OCaml": "ml mli ocaml",
}
_LANGUAGES = {name: language for language, names in _NAMES.items() for name in names.split()}
_SHEBANG = re.compile(rb"#! *\S*?(?:/env +(?:-\S+ +)*)?([\w+-]+?)[\d.]*(?=\s)")
_MODE = re.compile(
    rb"-\*-.{0,80}?mode: *([\w+-]+)|-\*- *([\w+-]+) *-\*-|\b(?:ft|filetype|syntax)=([\w+-]+)"
)
_PHP = re.compile(rb"\s*<\?php\b")


def hints(sample: Sample) -> dict[str, str]:
    """Languages that are named, each with what names it."""
    found: dict[str, str] = {}
    for name, why in _named(sample):
        language = _LANGUAGES.get(name.lower())
        if language:
            found.setdefault(language, why)
    return found


def _named(sample: Sample) -> list[tuple[str, str]]:
    lines = sample.head[:2048].split(b"\n")
    shebang = _SHEBANG.match(lines[0] + b"\n")
    found = [(shebang[1].decode(), "a shebang")] if shebang else []
    for line in (*lines[:3], *sample.tail[-512:].split(b"\n")[-4:]):
        mode = _MODE.search(line[:300])
        if mode:
            found.append((next(filter(None, mode.groups())).decode(), "a mode line"))
    if _PHP.match(sample.head):
        found.append(("php", "an opening tag"))
    found += [(suffix, "a file name") for suffix in suffixes(sample)]
    words = re.split(r"[/;,\s]", sample.mime or "")
    return found + [(word.removeprefix("x-").removesuffix("src"), "a MIME type") for word in words]
