# -*- coding: utf-8 -*-
from __future__ import annotations; import a.b.c as d, e
from .. import (f, g as h,)
@task(requests=R("1", *x, gpu=f"H{N}:{{}}{y!r:>{w}}", **z), accelerator=A.p_1g_5gb)[0]
async def t(a, /, b: int = 1, *c, d=(1, 2), **k) -> dict[str, "x"]:
	"""d"""
	return (await t().with_overrides(limits=[*a, {**b, 'c': -1.5e+3}])) if not a else lambda q, r=1: q
class C[T](B, metaclass=M): x: str = r'\d' b"" '''a
'''; y = x[1:2, ...]
match t:
    case C(x=1) | [2, *_] if a: pass
x = y = 0x_1F + \
  2; x += 1; del x; global z
for i, (j, k) in enumerate({1, 2}): n @= i
with a as b, c() as (d, e): print(*[q for q in w if q], sep='')
s = f'{a["b"]}' f"""{
  x = }""" rb'\''
