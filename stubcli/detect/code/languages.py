"""Which lines of a language are imports, symbols and private symbols, from the first character on.

A language that is not here has an outline by indentation alone. They are texts: only those of the
language at hand are compiled.
"""

from stubcli.value import Value


class Patterns(Value):
    """imports, symbols, private: regular expressions, an empty one where no line is any."""

    imports: str
    symbols: str
    private: str = (
        r"\s*(?:\w+ )*(?:private|fileprivate|internal|defp|local)\b"
        r"|\s*(?:\w+ )*(?:def|class|fun|func|function|fn|const|let|sub) +_(?!_)"
    )


_C = (
    r"(?:(?:static|inline|extern|const|unsigned|virtual|constexpr|friend) )*"
    r"[\w:*&<>]+ \**\w[\w:]*\([^;]*\)\s*(?:const\s*)?\{?$"
    r"|(?:typedef )?(?:struct|union|enum|class|namespace) \w+"
)
_MODIFIED = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|override|async"
    r"|virtual|default|synchronized|readonly) )+"
)
_KOTLIN = r"(?:data|sealed|open|abstract|private|internal|override|suspend|inline|public)"
_SWIFT = r"(?:public|final|private|open|static|override|mutating|internal|indirect)"
_SCALA = r"(?:case|sealed|abstract|final|private|override|implicit|protected|lazy)"

PATTERNS = {
    "Python": Patterns(r"(?:import [\w.]+|from [\w.]+ import )", r"\s*(?:async def|def|class) \w+"),
    "Go": Patterns(
        r"import \"|\t\"[\w./-]+\"$",
        r"func |type \w+|(?:var |\t)(?:Err|err)[A-Z]\w* += ",
        r"(?:func (?:\([^)]*\) ?)?|type |var |\t)[a-z_]",
    ),
    "Rust": Patterns(
        r"(?:pub )?use [\w:]+",
        r"\s{0,4}(?:pub(?:\(\w+\))? )?(?:async |unsafe |const )*(?:fn|struct|enum"
        r"|trait|impl|mod|type|macro_rules!)\b.*",
        r"\s*(?!pub|impl|macro_rules)\w",
    ),
    "TypeScript": Patterns(
        r"import ",
        r"(?:export )?(?:declare )?(?:default )?(?:abstract )?(?:async )?(?:function|class"
        r"|interface|type|enum|const|namespace) \w+|  (?:(?:public|private|protected|static"
        r"|readonly|async|get|set) )*\w+\(.*\).*\{$",
    ),
    "JavaScript": Patterns(
        r"import |(?:const|let|var) .*= require\(",
        r"(?:export )?(?:default )?(?:async )?(?:function\*? \w+|class \w+"
        r"|const \w+ = (?:async )?\()|  (?:(?:static|async|get|set) )*"
        r"(?!if|for|while|switch|catch|function)\w+\(.*\) \{$",
    ),
    "Java": Patterns(
        r"import ", r"\s*" + _MODIFIED + r".*(?:(?:class|interface|enum|record) \w+|\)) ?.*\{"
    ),
    "C or C++": Patterns(r"#\s*include ", _C),
    "Objective-C": Patterns(
        r"#\s*import |@import ", r"[-+] ?\(|@(?:interface|implementation|protocol) |" + _C
    ),
    "Shell": Patterns(r"(?:source|\.) \S+", r"(?:function )?[\w:.-]+ ?\(\) ?[{(]?|function \w+"),
    "SQL": Patterns(
        r"(?i)(?:\\i|use) ",
        r"(?i)\s*create (?:or replace )?(?:\w+ )?(?:table|view|index|function|type|trigger"
        r"|procedure|schema)\b",
    ),
    "Ruby": Patterns(r"require(?:_relative)? ", r"\s*(?:class|module|def) "),
    "PHP": Patterns(
        r"use |require|include",
        r"\s*(?:(?:public|private|protected|static|abstract|final) )*"
        r"(?:function &?\w|(?:class|interface|trait|enum) \w)",
    ),
    "C#": Patterns(
        r"using [\w.=* ]+;$",
        r"\s*" + _MODIFIED + r"(?:.*\(.*\)|(?:class|interface|enum|struct|record) \w+.*)\s*\{?$",
    ),
    "Kotlin": Patterns(
        r"import ", rf"\s*(?:{_KOTLIN} )*(?:fun|class|object|interface|enum class) "
    ),
    "Swift": Patterns(
        r"import ",
        rf"\s*(?:{_SWIFT} )*(?:func|class|struct|enum|protocol|extension|actor|init\() ?\w*",
    ),
    "Scala": Patterns(
        r"import ", rf"\s*(?:{_SCALA} )*(?:def|class|object|trait|enum|package object) "
    ),
    "Perl": Patterns(r"(?:use|require) [A-Z\w:]+", r"\s*sub \w+|package [\w:]+;"),
    "R": Patterns(r"(?:library|require|source)\(", r"\s*[\w.`<-]+ (?:<-|=) function\("),
    "Lua": Patterns(
        r".*\brequire ?\(?[\"']", r"\s*(?:local )?function [\w.:]+|\s*[\w.]+ = function"
    ),
    "Dart": Patterns(
        r"(?:import|export|part) '",
        r"\s*(?:(?:abstract )?class|enum|mixin|extension) \w+"
        r"|\s*(?:static )?(?:Future<.*>|Widget|void|String|int|bool|double) \w+\(",
    ),
    "Haskell": Patterns(
        r"import ", r"(?:data|newtype|type|class|instance|module) |[a-z][\w']* +::"
    ),
    "Elixir": Patterns(
        r"\s*(?:import|alias|use|require) [A-Z]",
        r"\s*(?:def|defp|defmodule|defmacro|defprotocol|defimpl|test|describe) ",
    ),
    "Erlang": Patterns(
        r"-(?:include|include_lib|import)\(", r"[a-z]\w*\(.*->|-(?:module|record)\("
    ),
    "PowerShell": Patterns(
        r"(?i)(?:Import-Module|using) ", r"(?i)\s*(?:function|filter|class|enum|workflow) [\w:-]+"
    ),
    "Makefile": Patterns(r"-?include ", r"[\w./%$(){} -]+:(?![=:])|define "),
    "CSS": Patterns(r"@(?:import|use|forward) ", r"[^\s/}].*[{,]$"),
    "Julia": Patterns(
        r"(?:using|import) ",
        r"\s*(?:@\w+ )*(?:function|(?:mutable )?struct|module|macro|abstract type) \w",
    ),
    "Clojure": Patterns(r"\s+\((?::require|:import|:use)\b.*", r"\((?:ns|def[\w-]*) \S+"),
    "Zig": Patterns(r"const \w+ = @import\(", r"\s*(?:pub |export |inline )*fn |test \""),
    "OCaml": Patterns(r"open ", r"\s{0,2}(?:let|and|type|module|val|exception|class) \S"),
    "Protocol Buffers": Patterns(r"import ", r"\s*(?:message|enum|service|rpc|extend) \w"),
    "Dockerfile": Patterns("(?i)from ", r"(?i)(?:from|entrypoint|cmd) "),
    "CMake": Patterns(r"(?i)include\(", r"(?i)\s*(?:function|macro|add_\w+|project)\s*\("),
    "HCL": Patterns("", r"(?:resource|module|data|variable|output|provider|locals|terraform)\b"),
}
