"""The command ``completion``, which prints a shell's completion script."""

import click

from affray.tools.cli.completion.shells import SHELLS, script
from affray.tools.cli.printing import say_document


@click.command()
@click.argument("shell", metavar="bash|zsh|fish", type=click.Choice(list(SHELLS)))
def completion(shell: str) -> None:
    r"""Print the script that lets a shell complete commands, options, fights, combatants, actions and clauses.

    \b
    To switch it on, put into the file that your shell reads when it starts:
      ~/.bashrc                   eval "$(affray completion bash)"
      ~/.zshrc                    eval "$(affray completion zsh)"
      ~/.config/fish/config.fish  affray completion fish | source
    """
    say_document(script(shell))
