"""Sentences that say themselves in several languages."""

import pickle

import pytest

from scorer.sentence import Phrasebook

BOOK = Phrasebook(
    {
        "left": {"en": "{n} left", "es": "quedan {n}"},
        "on_the_left": {"en": "{n} left", "es": "{n} a la izquierda"},
        "told": {"en": "{what}!", "es": "¡{what}!"},
        "listed": {"en": "{what}", "es": "{what}"},
    },
    {},
)


def test_sentences_that_are_alike_in_english_are_not_confused_in_another_language():
    one, other = BOOK.say("left", n=2), BOOK.say("on_the_left", n=2)
    assert one == other
    reported = [BOOK.say("told", what=sentence) for sentence in (one, other)]
    assert [sentence.in_language("es") for sentence in reported] == [
        "¡quedan 2!",
        "¡2 a la izquierda!",
    ]
    listed = [BOOK.say("listed", what=(sentence,)) for sentence in (one, other)]
    assert [sentence.in_language("es") for sentence in listed] == ["quedan 2", "2 a la izquierda"]


def test_a_sentence_that_went_to_another_process_still_knows_its_languages():
    reported = BOOK.say("told", what=BOOK.say("left", n=3))
    again = pickle.loads(pickle.dumps(reported))
    assert (again, again.in_language("es")) == ("3 left!", "¡quedan 3!")


def test_a_missing_phrase_is_named_and_the_file_that_it_belongs_in():
    shipped = Phrasebook.of_package("scorer.nebula")
    with pytest.raises(KeyError, match=r"scorer/nebula/words\.yaml has no phrase 'gone'"):
        shipped.say("gone")
    with pytest.raises(KeyError, match="has no phrase 'gone'"):
        str(BOOK.say("gone"))
