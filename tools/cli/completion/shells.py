"""Scripts for bash, zsh and fish, and the answers that the program gives them.

A script calls the program with ``_AFFRAY_COMPLETE`` set, and with the command up to the cursor in ``COMP_LINE``. The
program prints a line for each possible word: its kind, the word and its meaning, separated by tabs. A ``plain`` word is
complete. After a ``more`` word no space follows. For ``file`` and ``dir`` the shell itself lists the names.
"""

from __future__ import annotations

import os
from contextlib import suppress

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from affray.tools.cli.command_registry import COMMANDS
from affray.tools.cli.printing import say_document
from affray.tools.text.printable import printable

VARIABLE = "_AFFRAY_COMPLETE"

CURSOR = "\0"
"""Stands for the cursor. It marks the last word as incomplete, even an empty one."""

BREAKS = "=:@"
"""Characters at which bash begins a new word, if ``COMP_WORDBREAKS`` has them. It replaces only the part after them."""

MORE = ("/", "=", "#")
"""Endings of words that are not complete."""

BASH = """\
_affray_completion() {
    local IFS=$'\\t' kind value says unsafe= quoted=
    case ${COMP_WORDS[COMP_CWORD]} in  # bash puts a word behind an opened quote as it is, and would run what is in it
        \\"*) quoted=yes unsafe='[$\\`"\\\\!]' ;;
        \\'*) quoted=yes unsafe="[']" ;;
    esac
    COMPREPLY=()
    while read -r kind value says; do
        case $kind in
            file) compopt -o default 2> /dev/null ;;
            dir) compopt -o dirnames 2> /dev/null ;;
            *)
                [[ $unsafe && $value == *$unsafe* ]] && continue
                [[ $kind == more ]] && compopt -o nospace 2> /dev/null
                [[ $quoted ]] || printf -v value %q "$value"
                COMPREPLY+=("$value")
                ;;
        esac
    done < <(
        COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" _AFFRAY_COMPLETE=bash "$1" 2> /dev/null
    )
}
complete -o nosort -F _affray_completion affray 2> /dev/null || complete -F _affray_completion affray
"""

ZSH = """\
#compdef affray
_affray() {
    local kind value says
    local -a plain plain_said more more_said
    while IFS=$'\\t' read -r kind value says; do
        case $kind in
            file) _files ;;
            dir) _files -/ ;;
            more) more+=("$value"); more_said+=("${says:+${(r:20:)value} }${says:-$value}") ;;
            *) plain+=("$value"); plain_said+=("${says:+${(r:20:)value} }${says:-$value}") ;;
        esac
    done < <(
        COMP_LINE="${(j: :)words[1,CURRENT-1]} ${words[CURRENT]}" _AFFRAY_COMPLETE=zsh ${(Q)words[1]} 2> /dev/null
    )
    [[ $PREFIX == -*=* ]] && compset -P '*='
    (( $#plain )) && compadd -l -V affray -d plain_said -a plain
    (( $#more )) && compadd -l -V affray -S '' -d more_said -a more
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _affray "$@"
else
    compdef _affray affray
fi
"""

FISH = """\
function __affray_completion
    set -l words (commandline -opc)
    for line in (env _AFFRAY_COMPLETE=fish COMP_LINE=(commandline -cp | string collect) $words[1] 2> /dev/null)
        set -l parts (string split -m 1 \\t -- $line)
        switch $parts[1]
            case file
                __fish_complete_path (commandline -ct)
            case dir
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $parts[2]
        end
    end
end
complete --command affray --no-files --arguments '(__affray_completion)'
"""


class _Line(ShellComplete):
    """Completion of the last word of the command in ``COMP_LINE``."""

    name = "affray"
    source_template = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words between the program's name and the last one, and the last one."""
        _, *args, last = ["", *split_arg_string(os.environ.get("COMP_LINE", "") + CURSOR)]
        return args[1:], last.removesuffix(CURSOR)

    def complete(self) -> str:
        """Return a line for each word, without unprintable characters."""
        args, last = self.get_completion_args()
        if args and args[0] not in COMMANDS:
            return ""
        found = self.get_completions(args, last)
        for one in found:
            one.value = self.replacing(last, one.value)
        return "".join(f"{self.format_completion(one)}\n" for one in found if one.value.isprintable())

    def replacing(self, last: str, value: str) -> str:
        """Return the text by which the shell replaces the last word."""
        return value

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Format the line of a word."""
        kind = "more" if item.type == "plain" and item.value.endswith(MORE) else item.type
        return "\t".join((kind, item.value, printable(" ".join((item.help or "").split()))))


class _Bash(_Line):
    """Completion for bash, which splits words at ``=``, ``:`` and ``@``."""

    def replacing(self, last: str, value: str) -> str:
        """Return the part of a word after its last break character of bash."""
        quoted = os.environ.get("COMP_LINE", "").split(" ")[-1].startswith(('"', "'"))
        marks = "" if quoted or last.startswith("-") else os.environ.get("COMP_WORDBREAKS", "")
        return value[max((last.rfind(mark) + 1 for mark in BREAKS if mark in marks), default=0) :]


class _Fish(_Line):
    """Completion for fish, which replaces an option together with its value."""

    def replacing(self, last: str, value: str) -> str:
        """Add the option before its value: ``--side=heroes``."""
        option, equals, _ = last.partition("=")
        return f"{option}={value}" if equals and last.startswith("-") else value


SHELLS: dict[str, tuple[str, type[_Line]]] = {"bash": (BASH, _Bash), "zsh": (ZSH, _Line), "fish": (FISH, _Fish)}
"""Script of each shell, and the class that answers it."""


def script(shell: str) -> str:
    """Return the completion script of a shell."""
    return SHELLS[shell][0]


def print_completions(program: click.Command) -> None:
    """Print the words that fit at the cursor; none if the command is invalid."""
    from affray.tools.cli.exit_codes import EXPLAINED  # noqa: PLC0415 - few completions need it

    _, form = SHELLS[os.environ[VARIABLE]]
    with suppress(*EXPLAINED):
        say_document(form(program, {}, "affray", VARIABLE).complete())
