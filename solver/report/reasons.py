"""The reasons of a decision in sentences, English and French."""

from __future__ import annotations

from typing import Any

from solver.query.advise import Choice
from solver.query.why import Why
from solver.report.kinds import Lang
from solver.report.wording import Wording
from solver.rules.model import RuleSet

BAR_WIDTH = 24
TEXTS: dict[Lang, dict[str, str]] = {
    "en": {
        "elder": "elder",
        "dealer": "dealer",
        "said": "The {seat} has said {bet}; nobody has to answer.",
        "only": "There is only {best} to do, worth {value} {unit}.",
        "best": "Best is {best}, worth {value} {unit}: {edge} more than {second}.",
        "close": "Equally good here, within what the solution may be off: {names}, about {value} {unit}.",
        "wins": "After {action} the hand is won {wins} of the time.",
        "called": "After {action} the {other} folds {folds} of the time; if not, the hand is won {wins} of the time.",
        "never": "After {action} the {other} always folds.",
        "cost": "Folding gives up {cost} {unit} against {best}.",
        "right": "Folding is right: {second} would lose {edge} {unit} more.",
        "nothing": "The {other} never comes here under the solution, so nothing can be said of the values.",
        "points": "points",
        "match": "of the match",
        "and": " and ",
        "range bet": "What the {other} says {bet} with here, if you hold this hand",
        "range": "What the {other} holds here, if you hold this hand",
    },
    "fr": {
        "elder": "premier",
        "dealer": "donneur",
        "said": "Le {seat} a dit {bet} ; personne n'a à répondre.",
        "only": "Il n'y a que {best} à faire, ce qui vaut {value} {unit}.",
        "best": "Le mieux est {best}, qui vaut {value} {unit} : {edge} de plus que {second}.",
        "close": "Se valent ici, à l'erreur de la solution près : {names}, environ {value} {unit}.",
        "wins": "Après {action}, le coup est gagné {wins} du temps.",
        "called": "Après {action}, le {other} abandonne {folds} du temps ; sinon, le coup est gagné {wins} du temps.",
        "never": "Après {action}, le {other} abandonne toujours.",
        "cost": "Abandonner coûte {cost} {unit} par rapport à {best}.",
        "right": "Il faut abandonner : {second} perdrait {edge} {unit} de plus.",
        "nothing": "Le {other} ne vient jamais ici selon la solution : rien à dire des valeurs.",
        "points": "point(s)",
        "match": "de la partie",
        "and": " et ",
        "range bet": "Avec quoi le {other} dit {bet} ici, si vous tenez cette main",
        "range": "Ce que tient le {other} ici, si vous tenez cette main",
    },
}


def name_of(say: Wording, rules: RuleSet, action: str) -> str:
    """An action as it is read in a sentence."""
    return say.token(rules, action) if action in rules.ranks else say.word(rules, action)


def sentences(found: Why, rules: RuleSet, unit: str, lang: Lang = "en") -> list[str]:
    """What is best and by how much, what folding costs, the chances to win."""
    say, texts = Wording(lang), TEXTS[lang]
    known = sorted((one for one in found.advice.actions if one.ev == one.ev), key=lambda one: -one.ev)
    other = texts[found.other]
    if not known:
        return [texts["nothing"].format(other=other)]
    names = {one.action: name_of(say, rules, one.action) for one in known}
    gaps = {"unit": texts[unit], "other": other}
    told = []
    if found.said:
        told.append(texts["said"].format(seat=texts[found.said[0]], bet=name_of(say, rules, found.said[1])))
    told.append(which(known, names, texts, say, gaps))
    if found.fold_costs:
        told.append(
            texts["cost"].format(cost=say.decimal(f"{found.fold_costs:.3f}"), best=names[known[0].action], **gaps)
        )
    bets = {one.word: one for one in found.called}
    for one in known:
        chance = found.wins[one.action]
        if one.action == "fold" or chance is None:
            continue
        gaps["action"] = names[one.action]
        bet = bets.get(one.action)
        if bet is None:
            told.append(texts["wins"].format(wins=say.percent(chance), **gaps))
        elif bet.wins is None:
            told.append(texts["never"].format(**gaps))
        else:
            wins = say.percent(bet.wins)
            told.append(texts["called"].format(folds=say.percent(bet.folds), wins=wins, **gaps))
    return told


def which(known: list[Choice], names: dict[str, str], texts: dict[str, str], say: Wording, gaps: dict[str, str]) -> str:
    """Which action is best, and by how much; the best first in ``known``."""
    value, best = say.decimal(f"{known[0].ev:+.3f}"), names[known[0].action]
    close = [names[one.action] for one in known if one.indifferent]
    if len(close) > 1:
        listed = texts["and"].join(filter(None, [", ".join(close[:-1]), close[-1]]))
        return texts["close"].format(names=listed, value=value, **gaps)
    if len(known) == 1:
        return texts["only"].format(best=best, value=value, **gaps)
    edge, second = say.decimal(f"{known[1].loss:.3f}"), names[known[1].action]
    kind = "right" if known[0].action == "fold" else "best"
    return texts[kind].format(best=best, value=value, edge=edge, second=second, **gaps)


def range_rows(found: Why) -> list[dict[str, Any]]:
    """The other side's hands as a chart in text: class, share now, share by the cards alone, a bar."""
    most = max((one.share for one in found.held), default=0.0)
    return [
        {
            "class": one.hand_class,
            "share": one.share,
            "dealt": one.dealt,
            "bar": "#" * round(BAR_WIDTH * one.share / most),
        }
        for one in found.held
        if most > 0
    ]


def range_title(found: Why, rules: RuleSet, lang: Lang = "en") -> str:
    """What the chart shows."""
    texts = TEXTS[lang]
    bet = Wording(lang).word(rules, found.bet) if found.bet else ""
    return texts["range bet" if bet else "range"].format(other=texts[found.other], bet=bet)
