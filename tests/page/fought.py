"""A whole fight at a table, by tapping alone: a game master's laptop, a player's phone, a spectator's window.

    python -m tests.page.fought encounters/vestige/ford.toml -o pictures
    python -m tests.page.fought made/vestige -o pictures     # from an empty server, the encounter made by clicking too

Whoever is up does what the page says they will likely do, else goes to the nearest foe, and else ends their turn; a
question gets its first answer. Nothing is known of any rule but which words mean a blow.
"""

from __future__ import annotations

import sys
import tomllib
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.page.conftest import QUIETLY, chromium
from tests.page.hand import Hand, Log
from tests.page.making import MADE, make
from tests.page.served import Served
from tests.page.table import Table
from tests.page.window import Colours, Windows, expect

LAPTOP, PHONE, SMALL, WIDE = (1280, 800), (390, 844), (360, 740), (1920, 1080)


@dataclass(frozen=True)
class Looks:
    """The colours and window sizes of the participants."""

    gm: Colours = "light"
    player: Colours = "dark"
    spectator: Colours = "light"
    laptop: tuple[int, int] = LAPTOP
    phone: tuple[int, int] = PHONE
    window: tuple[int, int] = WIDE


LIGHT, DARK = Looks(), Looks("dark", "light", "dark", phone=SMALL)

SIZES = {"laptop": "the game master's", "phone": "the player's", "window": "the spectator's"}


def size(text: str) -> tuple[int, int]:
    """Return the size of a window that is written as `1280x800`."""
    width, _, height = text.partition("x")
    return int(width), int(height)


def sit(
    windows: Windows, links: dict[str, str], log: Log, *, looks: Looks = LIGHT, gm: Hand | None = None
) -> list[Hand]:
    """Return the hands at a fight: the game master's on a laptop, a player's on a phone, a spectator's."""
    hands = [gm or Hand("gm", windows.open(links["game master"], size=looks.laptop, colours=looks.gm), log)]
    players = [one for one in links if one not in ("game master", "spectators")]
    if players:
        hands.append(Hand("player", windows.open(links[players[0]], size=looks.phone, colours=looks.player), log))
    hands.append(Hand("spectator", windows.open(links["spectators"], size=looks.window, colours=looks.spectator), log))
    expect(hands[0].page.locator(".kinds [data-kind]").first).to_be_visible()
    for one in hands:
        expect(one.page.locator(".standing").first).not_to_be_empty()
        one.look(one.name)
    return hands


def lay_table(server: Served, windows: Windows, encounter: str, log: Log, *, looks: Looks = LIGHT) -> Table:
    """Return the table of an encounter file's fight, or of `made/SYSTEM`, which is made there on an empty server."""
    path, _, system = encounter.partition("made/")
    if system:
        server.start()
        gm = Hand("gm", windows.open(server.host, size=looks.laptop, colours=looks.gm), log)
        hands = sit(windows, make(gm, system, MADE[system]), log, looks=looks, gm=gm)
    else:
        text = Path(path).read_text(encoding="utf-8")
        system = tomllib.loads(text)["system"]
        server.begin("fight", text)
        server.start("fight")
        hands = sit(windows, server.links["fight"], log, looks=looks)
    return Table(hands, log, deeds=2 if system == "vestige" else 1)


def fight_and_report(arguments: Namespace) -> int:
    """Play it, and say what it took."""
    folder: Path = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    log = Log(folder)
    with sync_playwright() as playwright, TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=[*QUIETLY])
        windows = Windows(browser)
        with Served(Path(place)) as server:
            looks = DARK if arguments.dark else LIGHT
            sizes = {name: wanted for name in SIZES if (wanted := getattr(arguments, name)) is not None}
            looks = replace(looks, **sizes)
            try:
                table = lay_table(server, windows, arguments.encounter, log, looks=looks)
                table.forms, table.engine = arguments.forms, arguments.engine
                took = table.play(arguments.most, arguments.rounds)
            finally:
                log.write()
                if windows.wrong:
                    print("wrong:", *windows.wrong, sep="\n  ")
            over = table.over
            story = table.hands[0].page.locator("ol.story").first.inner_text()
            (folder / "story.txt").write_text(story, encoding="utf-8")
            print(
                f"{arguments.encounter}: {'' if over else 'not '}over after {took} steps, {sum(log.taps.values())} taps"
            )
            print(table.hands[0].page.locator(".standing").first.inner_text())
            for nth, taps in sorted(log.taps.items()):
                print(f"  round {nth}: {taps} taps, {log.deeds[nth]} commands")
        browser.close()
    return 0 if over and not windows.wrong else 1


def main() -> int:
    """Read what is wanted."""
    parser = ArgumentParser(prog="python -m tests.page.fought", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("encounter", help="an encounter file, or made/SYSTEM for one that is made by clicking, too")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder for the pictures")
    parser.add_argument("--browser", default=chromium(whole=True), help="another Chromium")
    parser.add_argument(
        "--forms", action="store_true", help="act by the bar and its forms alone, as one does without a map"
    )
    parser.add_argument("--engine", action="store_true", help="let the engine play the turns of foes, one by one")
    parser.add_argument(
        "--dark", action="store_true", help="the game master in the dark, the player in the light, on a smaller phone"
    )
    for name, whose in SIZES.items():
        parser.add_argument(f"--{name}", type=size, metavar="WIDTHxHEIGHT", help=f"how large {whose} window is")
    parser.add_argument("--most", type=int, default=400, help="stop after so many steps")
    parser.add_argument("--rounds", type=int, default=99, help="stop after so many rounds")
    return fight_and_report(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
