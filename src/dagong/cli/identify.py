"""``dagong identify``: what some cards may be declared as."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from dagong import Hand, Ruleset
from dagong.cli.common import answer_each, hand_options, rules_options, write_json
from dagong.cli.describe import meaning
from dagong.notation import declaration_text


@click.command()
@hand_options
@rules_options
def identify(cards: tuple[str, ...], file: str | None, as_json: bool, rules: Ruleset) -> None:
    """List what exactly these cards may be declared as.

    Without cards they come from --file or standard input, one set a line, and the answers are JSON lines.
    Blank lines and comments from # on are skipped.

    \b
    dagong identify "4S 4H XB XR" --rules xianning
    dagong identify "XB" --rules daye --json
    """

    def answer(hand: Hand, line: int | None, as_json: bool) -> None:
        found = rules.identify(hand)
        if as_json:
            write_json({"hand": str(hand), "rules": str(rules), "count": len(found)}, rules, found, line)
            return
        console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        if not found:
            console.print(f"{str(hand) or 'An empty hand'}: no play under {rules}")
            return
        ways = "1 declaration" if len(found) == 1 else f"{len(found)} declarations"
        console.print(f"{hand}: {ways} under {rules}")
        texts = [declaration_text(play.declaration) for play in found]
        width = max(map(len, texts))
        for text, play in zip(texts, found, strict=True):
            console.print(Text.assemble("  ", (f"{text:{width}}", "bold"), f"  {meaning(rules, play)}"))

    answer_each(cards, file, as_json, answer)
