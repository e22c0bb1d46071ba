"""Of a diff, a change that many files have is told once, and what no other has comes first."""

from collections.abc import Callable

from stubcli.detect.model import Synopsis

Summarise = Callable[..., Synopsis]


def changed(name: str, old: str, new: str) -> list[str]:
    head = [f"--- a/{name}", f"+++ b/{name}", "@@ -3,3 +3,3 @@", " before"]
    return [*head, f"-{old}", f"+{new}", " behind"]


def release(*more: list[str]) -> str:
    lines: list[str] = []
    for number in range(30):
        old, new = (
            f"  image: old.host/team/app{number}:v1",
            f"  image: new.host/team/app{number}:v1",
        )
        lines += changed(f"app{number}/run.yaml", old, new)
        lines += more[number - 20] if 20 <= number < 20 + len(more) else []
    return "\n".join(lines) + "\n"


def test_a_change_of_many_files_is_told_once_and_the_others_before(synopsis: Summarise) -> None:
    odd = changed("app20/rights.yaml", "  root: no", "  root: yes")
    text = release(odd)
    said = [line.strip() for line in synopsis(text).structure]
    at = said.index("2 different changes:")
    line = text.split("\n").index("+  root: yes") + 1
    assert said[at + 1] == f"app20/rights.yaml, line {line}: -root: no +root: yes"
    assert said[at + 2] == (
        "app0/run.yaml, line 6 (30 files changed alike): "
        "-image: old.host/team/app0:v1 +image: new.host/team/app0:v1"
    )


def test_lines_that_only_one_side_has_are_a_change_too(synopsis: Summarise) -> None:
    odd = ["--- a/hosts", "+++ b/hosts", "@@ -7,3 +7,2 @@", " before", "-10.0.0.7 spare", " behind"]
    text = release(odd)
    number = text.split("\n").index("-10.0.0.7 spare") + 1
    assert f"hosts, line {number}: -10.0.0.7 spare" in "\n".join(synopsis(text).structure)


def test_where_no_change_comes_again_nothing_is_said_of_it(synopsis: Summarise) -> None:
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight")
    text = "\n".join(
        "\n".join(changed(f"{word}.py", f"def {word}():", f"def not_{word}(it):")) for word in words
    )
    assert "different change" not in "\n".join(synopsis(text).structure)


def test_bars_beside_a_diff_change_nothing_and_a_tree_names_what_is_compared(
    synopsis: Summarise,
) -> None:
    lines = ["--- one.tar", "+++ two.tar"]
    for number in range(12):
        body = changed(f"x{number}", "built: monday", "built: friday")[2:]
        lines += [f"├── share/part{number}.txt", *(f"│ {line}" for line in body)]
    lines += [
        "├── etc/rights",
        *(f"│ {line}" for line in changed("x", "mode: 755", "mode: 4755")[2:]),
    ]
    found = synopsis("\n".join(lines) + "\n")
    assert found.label == "text/diff"
    said = "\n".join(found.structure)
    assert f"etc/rights, line {len(lines) - 1}: -mode: 755 +mode: 4755" in said
    assert "(12 files changed alike): -built: monday +built: friday" in said
