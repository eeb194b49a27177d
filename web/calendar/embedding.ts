import type { CalendarQuery } from '../../src/pages/calendar/calendar-query.js';

type Rgb = readonly number[];

/** Relative luminance of the backgrounds with the least contrast: `--hover` in web/shared/tokens.css. */
const BACKGROUND = { light: 0.88, dark: 0.024 };
const MIN_CONTRAST = 4.5;
const STEPS = 20;

/**
 * Takes the accent colour of the address. Text on it is black or white, whichever has more contrast; text in it is mixed with
 * black or white until it can be read.
 */
export function applyAccent({ accent }: CalendarQuery): void {
  if (accent === undefined) return;
  const color = [0, 2, 4].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
  const { style } = document.documentElement;
  style.setProperty('--accent', `#${accent}`);
  style.setProperty('--accent-over', `color-mix(in oklab, #${accent} 85%, var(--text))`);
  style.setProperty('--on-accent', luminance(color) > 0.179 ? '#000000' : '#ffffff');
  const [light, dark] = [readable(color, 0, BACKGROUND.light), readable(color, 255, BACKGROUND.dark)];
  style.setProperty('--accent-text', `light-dark(rgb(${light}), rgb(${dark}))`);
}

/** Relative luminance: WCAG 2.2. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The color, mixed with as little of black (0) or white (255) as text on that background needs. */
function readable(color: Rgb, end: 0 | 255, background: number): Rgb {
  for (let step = 0; ; step++) {
    const mixed = color.map((part) => Math.round(part + ((end - part) * step) / STEPS));
    const [low = 0, high = 0] = [luminance(mixed), background].toSorted((a, b) => a - b);
    if (step === STEPS || (high + 0.05) / (low + 0.05) >= MIN_CONTRAST) return mixed;
  }
}

/** Tells the framing page the height of an embedded calendar, in pixels; embed.ts there reads it. */
export function reportHeight({ embed }: CalendarQuery): void {
  if (!embed || parent === window) return;
  const report = () => parent.postMessage({ almanacHeight: document.body.offsetHeight }, '*');
  new ResizeObserver(report).observe(document.body);
  // The script of the framing page may load later than this one.
  addEventListener('message', ({ data }) => data?.almanacHeight === 'report' && report());
}
