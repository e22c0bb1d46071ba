"""Bytes as characters, against the decoder of the standard library."""

import codecs

from hypothesis import given
from hypothesis import strategies as st

from stubcli.text.characters import boundary, characters, decode, encode

# Bytes from which valid, broken, overlong and surrogate sequences are likely to come up.
telling = st.lists(
    st.sampled_from(
        [
            0x41,
            0x0A,
            0x80,
            0x8F,
            0x90,
            0x9F,
            0xA0,
            0xBF,
            0xC0,
            0xC2,
            0xDF,
            0xE0,
            0xE1,
            0xED,
            0xEF,
            0xF0,
            0xF1,
            0xF4,
            0xF5,
            0xFF,
        ]
    ),
    max_size=9,
).map(bytes)
any_bytes = st.one_of(telling, st.binary(max_size=20), st.text(max_size=8).map(str.encode))


@given(any_bytes)
def test_decoding_and_encoding_give_the_bytes_back(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(any_bytes)
def test_an_undecodable_byte_counts_as_one_character(data: bytes) -> None:
    assert characters(data) == len(decode(data))


@given(any_bytes)
def test_the_boundary_is_where_the_incremental_decoder_waits_for_more(data: bytes) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    decoder.decode(data)
    pending, _ = decoder.getstate()
    # That decoder waits for a third byte of a surrogate too, for handlers that let one pass.
    waits = len(pending) if not b"\xed\xa0" <= pending <= b"\xed\xbf" else 0
    assert boundary(data) == len(data) - waits


@given(any_bytes, any_bytes)
def test_both_sides_of_the_boundary_decode_to_what_the_whole_does(data: bytes, more: bytes) -> None:
    cut = boundary(data)
    assert decode(data[:cut]) + decode(data[cut:] + more) == decode(data + more)
    assert characters(data[:cut]) + characters(data[cut:] + more) == characters(data + more)
