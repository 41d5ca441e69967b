"""SVG to PNG: the same bytes always, small, and drawn by other processes."""

import asyncio
import io
import multiprocessing
from collections.abc import Iterator

import pytest
from PIL import Image

from pbem.reports.raster import LARGEST, Rasterizer, png

SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" width="100" height="50">
<rect width="100" height="50" fill="#f7f0de"/><rect x="50" width="50" height="50" fill="#1f5fa8"/>{}</svg>"""
PLAIN = SVG.format("")
NOTED = SVG.format('<g class="fine"><text x="10" y="30" font-family="DejaVu Serif" font-size="20">Kai</text></g>')
LETTER = SVG.format('<text x="10" y="30" font-size="20" font-family="DejaVu Sans">{}</text>')


def opened(picture: bytes) -> Image.Image:
    """A PNG as an image in true colours."""
    with Image.open(io.BytesIO(picture)) as image:
        return image.convert("RGB")


def shades(picture: bytes) -> int:
    """How many colours a PNG uses."""
    return len(opened(picture).getcolors() or ())


def grain(dots: int) -> str:
    """A picture of so many scattered dots in many shades: as hard to pack as a picture can be."""
    spots = (
        f'<circle cx="{0.7548776662 * i % 1 * 100:.2f}" cy="{0.569840296 * i % 1 * 50:.2f}" r=".4" '
        f'fill="#{("33291f", "b3161b", "0d7358")[i % 3]}" fill-opacity="{i % 41 / 41:.2f}"/>'
        for i in range(dots)
    )
    return SVG.format("".join(spots))


@pytest.fixture(scope="module")
def rasterizer() -> Iterator[Rasterizer]:
    """One set of processes for all tests: they take their time to start."""
    with Rasterizer(processes=1) as running:
        yield running


@pytest.mark.parametrize("width", [600, 1000])
def test_png_has_the_width_asked_for(width: int) -> None:
    assert opened(png(PLAIN, width)).size == (width, width // 2)


def test_png_keeps_the_colours_of_areas() -> None:
    picture = opened(png(PLAIN, 1000))

    assert (picture.getpixel((10, 10)), picture.getpixel((990, 10))) == ((0xF7, 0xF0, 0xDE), (0x1F, 0x5F, 0xA8))


def test_png_same_svg_same_bytes() -> None:
    first = png(NOTED, 1000)
    png.cache_clear()

    assert png(NOTED, 1000) == first


def test_png_has_few_colours() -> None:
    with Image.open(io.BytesIO(png(NOTED, 1000))) as image:
        assert image.mode == "P"


def test_png_leaves_fine_detail_out_of_small_pictures() -> None:
    assert png(NOTED, 600) == png(PLAIN, 600)
    assert png(NOTED, 1000) != png(PLAIN, 1000)


@pytest.mark.parametrize("sign", ["A", "é", "ő", "Ж", "ω", "…"])
def test_png_has_its_own_letters(sign: str) -> None:
    unknown = LETTER.format("\N{CJK UNIFIED IDEOGRAPH-4E00}")

    assert len({png(LETTER.format(each), 1000) for each in (sign, "B")} | {png(unknown, 1000)}) == 3


def test_png_gives_up_shades_to_stay_small() -> None:
    easy, hard = png(grain(3_000), 1000), png(grain(6_000), 1000)

    assert len(hard) <= LARGEST
    assert shades(hard) < shades(easy)


def test_png_refuses_what_is_no_svg() -> None:
    with pytest.raises(ValueError, match="never closed"):
        png("<html>", 600)


def test_rasterizer_draws_the_same_pictures_as_the_function(rasterizer: Rasterizer) -> None:
    assert rasterizer.draw(NOTED, 1000, 600) == (png(NOTED, 1000), png(NOTED, 600))


async def test_rasterizer_leaves_the_event_loop_free(rasterizer: Rasterizer) -> None:
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            beats += 1
            await asyncio.sleep(0)

    beating = asyncio.create_task(beat())
    picture = await rasterizer.png(PLAIN, 1000)
    beating.cancel()

    assert picture == png(PLAIN, 1000)
    assert beats > 1


def test_rasterizer_tells_of_a_bad_svg_and_goes_on(rasterizer: Rasterizer) -> None:
    with pytest.raises(ValueError, match="never closed"):
        rasterizer.draw("<html>", 600)

    assert rasterizer.draw(PLAIN, 600) == (png(PLAIN, 600),)


def test_rasterizer_replaces_a_process_that_died() -> None:
    with Rasterizer(processes=1) as running:
        others = set(multiprocessing.active_children())
        running.draw(PLAIN, 600)
        (born,) = set(multiprocessing.active_children()) - others
        born.kill()
        born.join()

        assert running.draw(PLAIN, 600) == (png(PLAIN, 600),)


def test_rasterizer_ends_its_processes() -> None:
    others = set(multiprocessing.active_children())
    with Rasterizer(processes=1) as running:
        running.draw(PLAIN, 600)
    running.close()

    assert set(multiprocessing.active_children()) <= others
