"""More languages, the way the first module of them describes one."""

from stubcli.detect.code.language import Language, language

MORE: tuple[Language, ...] = (
    language(
        "C#",
        (
            r"using [\w.]+;$",
            r"\s*namespace [\w.]+[;{]?\s*$",
            r"\s*(?:(?:public|private|protected|internal|static|sealed|abstract|partial) )+"
            r"(?:class|interface|enum|struct|record) \w+",
            r"\s*(?:(?:public|private|protected|internal|static|override|async|virtual) )+"
            r"[\w<>\[\], ?]+ \w+\(",
            r".*\{ get; (?:private |protected |init|set).*\}",
            r"\s+(?:var|await|return|throw new) .*;$",
        ),
        r"using [\w.=* ]+;$",
        r"\s*(?:(?:public|private|protected|internal|static|sealed|abstract|partial|override|async"
        r"|virtual) )+(?:.*\(.*\)|(?:class|interface|enum|struct|record) \w+.*)\s*\{?$",
    ),
    language(
        "Kotlin",
        (
            r"package [\w.]+$",
            r"import [\w.*]+$",
            r"\s*(?:\w+ )*fun (?:<.*> )?[\w.]+\(.*",
            r"\s*(?:data |sealed |open |abstract |private )*(?:class|object|interface) \w+",
            r"\s+val \w+(?:: [\w<>?]+)? ?= ?.*",
            r"\s+when ?\(.*\{$",
        ),
        r"import ",
        r"\s*(?:(?:data|sealed|open|abstract|private|internal|override|suspend|inline|public) )*"
        r"(?:fun|class|object|interface|enum class) ",
    ),
    language(
        "Swift",
        (
            r"import [A-Z]\w+$",
            r"\s*(?:\w+ )*func \w+(?:<.*>)?\(.*\{?$",
            r"\s*(?:public |final |private )*(?:class|struct|enum|protocol|extension|actor) \w+",
            r"\s+(?:let|var) \w+(?:: [\w<>?\[\]]+)?(?: = .*)?$",
            r"\s+guard .* else \{",
            r"\s*(?:if|guard) let \w+",
        ),
        r"import ",
        r"\s*(?:(?:public|final|private|open|static|override|mutating|internal) )*"
        r"(?:func|class|struct|enum|protocol|extension|actor|init\() ?\w*",
    ),
    language(
        "Scala",
        (
            r"package [\w.]+$",
            r"import [\w.{}, =>_*]+$",
            r"\s*(?:\w+ )*def \w+(?:\[.*\])?(?:\(.*)? ?=? ?\{?",
            r"\s*(?:case |sealed |abstract |final )*(?:class|object|trait) \w+",
            r"\s+val \w+(?:: [\w\[\]]+)? = ",
            r"\s+case .* =>",
        ),
        r"import ",
        r"\s*(?:(?:case|sealed|abstract|final|private|override|implicit) )*"
        r"(?:def|class|object|trait) ",
    ),
    language(
        "Perl",
        (
            r"#!.*\bperl\b",
            r"use (?:strict|warnings|[A-Z][\w:]+).*;$",
            r"\s*sub \w+ ?\{",
            r"\s*my [$@%(].*",
            r".*=~ ",
            r"package [\w:]+;$",
            r"\s*return .*;$",
        ),
        r"(?:use|require) [A-Z\w:]+",
        r"\s*sub \w+|package [\w:]+;",
    ),
    language(
        "R",
        (
            r"(?:library|require)\(\w+\)",
            r"\s*[\w.]+ <- function\(.*",
            r"\s*[\w.$]+ <- .*",
            r".*%>%\s*$|.*\|>\s*$",
            r"\s*(?:data\.frame|ggplot|c)\(",
        ),
        r"(?:library|require|source)\(",
        r"\s*[\w.]+ <- function\(",
    ),
    language(
        "Lua",
        (
            r"(?:local )?\w+ = require ?\(?[\"']",
            r"\s*(?:local )?function [\w.:]*\(.*",
            r"\s*local \w+(?:, \w+)* ?=",
            r"\s*end[,)]*$",
            r"\s*(?:if|elseif) .* then$",
            r"\s*for .* do$",
        ),
        r".*\brequire ?\(?[\"']",
        r"\s*(?:local )?function [\w.:]+|\s*[\w.]+ = function",
    ),
    language(
        "Dart",
        (
            r"import 'package:.*';$",
            r"\s*(?:abstract )?class \w+.*\{$",
            r"\s*(?:final|const|var|late) .*;$",
            r"\s*@override$",
            r"\s*(?:Future<.*>|Widget|void|String|int|bool) \w+\(.*",
            r"\s+return .*;$",
        ),
        r"(?:import|export|part) '",
        r"\s*(?:(?:abstract )?class|enum|mixin|extension) \w+"
        r"|\s*(?:static )?(?:Future<.*>|Widget|void|String|int|bool|double) \w+\(",
    ),
)
