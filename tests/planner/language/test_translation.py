import threading

import pytest

from planner.language.po_file import Translations, read_translations
from planner.language.translation import _Chosen, in_english, language, language_of, tr, tr_count, use_language

PO = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8"

#: some/file.py
msgid "{count} pod"
msgid_plural "{count} pods"
msgstr[0] "파드 {count}개"

msgid ""
"A long "
"text"
msgstr ""
"긴 "
"글"

#, fuzzy
msgid "unsure"
msgstr "?"

msgid "empty"
msgstr ""
"""


@pytest.fixture
def korean(monkeypatch):
    use_language("ko")
    monkeypatch.setattr(
        _Chosen, "translations", Translations({"{name} grows": "{name}이(가) 커집니다", "Plan": "플랜"})
    )


def test_a_file_of_gettext_is_read_without_empty_and_fuzzy_entries(tmp_path):
    path = tmp_path / "headroom.po"
    path.write_text(PO, encoding="utf-8")
    pods = "파드 {count}개"
    assert dict(read_translations(path).texts) == {"{count} pod": pods, "{count} pods": pods, "A long text": "긴 글"}


def test_values_are_filled_into_the_translation_with_the_right_particle(korean):
    assert tr("{name} grows", name="파드") == "파드가 커집니다"


def test_a_text_without_translation_stays_english(korean):
    assert tr("No {thing}", thing="pool") == "No pool"


def test_one_has_a_text_of_its_own_in_english():
    assert [tr_count("{n} pod", "{n} pods", n, n=n) for n in (0, 1, 2)] == ["0 pods", "1 pod", "2 pods"]


def test_korean_has_one_text_for_all_numbers():
    use_language("ko")
    assert [tr_count("{count} pod", "{count} pods", n, count=n) for n in (1, 2)] == ["파드 1개", "파드 2개"]


def test_what_programs_read_is_english_in_this_thread_only(korean):
    seen = []
    with in_english():
        other = threading.Thread(target=lambda: seen.append(tr("Plan")))
        other.start()
        other.join()
        assert tr("Plan") == "Plan"
    assert [*seen, tr("Plan")] == ["플랜", "플랜"]


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "fr:ko:en"}, "ko"),
    ],
)
def test_the_environment_chooses_as_it_does_for_gettext(environment, code):
    assert language_of(environment) == code


def test_a_language_that_is_not_known_leaves_english():
    use_language("xx")
    assert (language(), tr("Plan")) == ("en", "Plan")
