import { execAt } from '../regexp.js';
import { textAt } from './json.js';
import type { ParsedBlock } from './parse-blocks.js';

const SIZE = /^\s*(\d+(?:\.\d+)?|\.\d+)(px|rem|em)\s*$/;
const PROPERTY = /font-size\s*:\s*/g;
const END = /\s*;?/y;
const PIXELS_PER_REM = 16;
/** The viewport widths between which a font grows, in pixels, as in the latest default theme. */
const NARROW = 320;
const WIDE = 1340;
const SMALLEST = 14;

/** Replaces the font size in a block's style by a fluid one, as block themes do. */
export function makeFontFluid(html: string, block: ParsedBlock): string {
  const size = textAt(block.attrs, 'style', 'typography', 'fontSize') ?? '';
  const fluid = fluidSize(size);
  if (fluid === undefined) return html;
  const written = size.trim();
  for (const { 0: name, index } of html.matchAll(PROPERTY)) {
    const start = index + name.length;
    if (!html.startsWith(written, start)) continue;
    execAt(END, html, start + written.length);
    return `${html.slice(0, index)}font-size:${fluid};${html.slice(END.lastIndex)}`;
  }
  return html;
}

/** The `clamp()` of a size; undefined when it is too small or has another unit. */
function fluidSize(size: string): string | undefined {
  const [, amount, unit = ''] = SIZE.exec(size) ?? [];
  const perUnit = unit === 'px' ? 1 : PIXELS_PER_REM;
  const largest = Number(amount) * perUnit;
  if (amount === undefined || largest <= SMALLEST) return undefined;
  const factor = Math.min(Math.max(1 - 0.075 * Math.log2(largest), 0.25), 0.75);
  const smallest = Math.max(thousandths((largest / perUnit) * factor), SMALLEST / perUnit);
  const slope = thousandths((100 * (largest - smallest * perUnit)) / (WIDE - NARROW));
  const base = thousandths((smallest * perUnit) / PIXELS_PER_REM);
  const narrow = thousandths(NARROW / 100 / perUnit);
  return `clamp(${smallest}${unit}, ${base}rem + ((1vw - ${narrow}${unit}) * ${slope}), ${Number(amount)}${unit})`;
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
