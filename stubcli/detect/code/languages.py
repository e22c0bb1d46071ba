"""What source code looks like, language by language: signals, imports and symbols of a line.

Signals are syntax, not words: prose uses import, class and let as well. It counts nothing.
"""

from stubcli.detect.code.language import Language, language
from stubcli.detect.code.morelanguages import MORE

_CLIKE_END = r"[^;{}]{0,200}\)\s*(?:const\s*)?(?:throws [\w., ]+)?\{\s*$"

LANGUAGES: tuple[Language, ...] = (
    language(
        "Python",
        (
            r"\s*(?:async )?def \w+\(.*",
            r"\s*class \w+(?:\(.*\))?:\s*$",
            r"import [\w.]+(?: as \w+)?$",
            r"from [\w.]+ import [\w(*, ]+$",
            r"\s*@[\w.]+(?:\(.*\))?$",
            r"\s+return\b(?! \w+ \w+ )",
            r"\s+self\.\w+",
            r"\s*(?:if|for|while|with|elif|try|else|except)\b.*:\s*$",
        ),
        r"(?:import [\w.]+|from [\w.]+ import )",
        r"\s*(?:async def|def|class) \w+",
    ),
    language(
        "Go",
        (
            r"package \w+$",
            r"import \($|import \"",
            r"func (?:\(\w+ \*?[\w.\[\]]+\) )?\w+[\[(].*\{$",
            r"type \w+ (?:struct|interface|func|map)\b",
            r"\t+\w+(?:, \w+)* := ",
            r"\t+if err != nil",
            r"\t+(?:return|defer|go) ",
        ),
        r"import \"|\t\"[\w./-]+\"$",
        r"func |type \w+ (?:struct|interface)",
    ),
    language(
        "Rust",
        (
            r"use [\w:{}, *]+;$",
            r"\s*(?:pub(?:\(\w+\))? )?(?:async |unsafe |const )*fn \w+.*",
            r"\s*(?:pub(?:\(\w+\))? )?(?:struct|enum|trait|mod|type) \w+",
            r"\s*impl\b.*\{$",
            r"\s*let (?:mut )?\w+.*[=;]",
            r"\s*#!?\[.*\]$",
            r"\s*match .*\{$",
        ),
        r"(?:pub )?use [\w:]+",
        r"(?:\s{0,4})(?:pub(?:\(\w+\))? )?(?:async |unsafe |const )*(?:fn|struct|enum"
        r"|trait|impl|mod|type|macro_rules!)\b.*",
    ),
    language(
        "TypeScript",
        (
            r"import .* from ['\"].*['\"];?$",
            r"(?:export )?(?:interface|type) \w+(?:<.*>)? (?:=|\{|extends)",
            r"(?:export )?(?:default )?(?:async )?function \w+\(.*\)\s*:",
            r"\s*(?:public|private|readonly) \w+",
            r"\s*(?:const|let) \w+(?:: [\w<>\[\]| ]+) = ",
            r".*\): (?:Promise<)?\w+.*[{;]$",
            r"\s*return .*;$",
        ),
        r"import ",
        r"(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function|class"
        r"|interface|type|enum|const) \w+",
    ),
    language(
        "JavaScript",
        (
            r"import .* from ['\"].*['\"];?$",
            r"(?:const|let|var) .*= require\(",
            r"\s*(?:const|let|var) \w+ = .*",
            r"(?:export )?(?:default )?(?:async )?function\*? ?\w*\(.*\) \{$",
            r".*=> \{?$",
            r"(?:module\.)?exports?[. ].*",
            r"\s*return .*;$",
            r"(?:export )?class \w+.*\{$",
            r"\s*\}\)?;$",
        ),
        r"import |(?:const|let|var) .*= require\(",
        r"(?:export )?(?:default )?(?:async )?(?:function\*? \w+|class \w+"
        r"|const \w+ = (?:async )?\()",
    ),
    language(
        "Java",
        (
            r"package [\w.]+;$",
            r"import (?:static )?[\w.*]+;$",
            r"\s*(?:(?:public|private|protected|static|final|abstract) )+(?:class"
            r"|interface|enum|record) \w+",
            r"\s*(?:(?:public|private|protected|static|final) )+[\w<>\[\], ]+ \w+\(" + _CLIKE_END,
            r"\s*@\w+(?:\(.*\))?$",
            r"\s+return .*;$",
            r"\s+(?:\w+\.)+\w+\(.*\);$",
        ),
        r"import ",
        r"\s*(?:(?:public|private|protected|static|final|abstract) )+.*(?:class"
        r"|interface|enum|record|\)) ?.*\{",
    ),
    language(
        "C or C++",
        (
            r"#\s*include [<\"]",
            r"#\s*(?:define|ifdef|ifndef|endif|if|pragma)\b",
            r"(?:static |inline |extern |const |unsigned )*[\w:*&<>]+ \**\w[\w:]*\("
            + r"[^;]*\)\s*\{?$",
            r"(?:typedef )?(?:struct|union|enum|class|namespace) ?\w*.*\{$",
            r"\s+return\b.*;$",
            r"\s+(?:if|for|while|switch) \(.*\)\s*\{?$",
            r"\s+\w+(?:->|\.)\w+.*;$",
            r"(?:using|template)\b.*",
        ),
        r"#\s*include ",
        r"(?:static |inline |extern |const |unsigned "
        r"|virtual )*[\w:*&<>]+ \**\w[\w:]*\([^;]*\)\s*\{?$"
        r"|(?:typedef )?(?:struct|union|enum|class|namespace) \w+",
    ),
    language(
        "shell",
        (
            r"#!.*\b(?:ba|z|k)?sh\b",
            r"\s*if \[\[? .*\]\]?; then$",
            r"\s*(?:fi|done|esac|then|do)$",
            r"\s*(?:function )?[\w-]+ ?\(\) ?\{$",
            r"(?:export |local |readonly )?\w+=[\"$'\w]",
            r"\s*(?:for|while) .*; do$",
            r"set -[euxo]+",
        ),
        r"(?:source|\.) \S+",
        r"(?:function )?[\w-]+ ?\(\) ?\{",
    ),
    language(
        "SQL",
        (
            r"(?i)create (?:or replace )?(?:table|view|index|unique index|function|type)\b.*",
            r"(?i)insert into \S+",
            r"(?i)alter table \S+",
            r"(?i)\s*(?:primary key|foreign key|constraint)\b",
            r"(?i)(?:begin|commit|rollback);$",
            r"(?i)\s*select\b.*",
            r"(?i)drop (?:table|index|view)\b",
            r"(?i)\s+\w+ (?:integer|bigint|text|varchar|timestamp|boolean|serial|numeric)\b",
        ),
        r"(?i)(?:\\i|use) ",
        r"(?i)create (?:or replace )?(?:\w+ )?(?:table|view|index|function|type)\b",
    ),
    language(
        "Ruby",
        (
            r"require(?:_relative)? ['\"]",
            r"\s*def [\w.?!=]+",
            r"\s*(?:class|module) [A-Z]\w*",
            r"\s*end$",
            r"\s*attr_(?:reader|accessor|writer) ",
            r"\s*.* do(?: \|.*\|)?$",
        ),
        r"require(?:_relative)? ",
        r"\s*(?:class|module|def) ",
    ),
    language(
        "PHP",
        (
            r"<\?php",
            r"use [\w\\]+;$",
            r"namespace [\w\\]+;$",
            r"\s*(?:public |private |static )*function \w+\(",
            r"\s*\$\w+ ?=",
            r"\s*(?:abstract |final )?class \w+",
            r"\s*return \$?.*;$",
        ),
        r"use |require",
        r"\s*(?:public |private |protected |static )*function |(?:abstract |final )?class ",
    ),
    *MORE,
)
