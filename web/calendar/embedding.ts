import type { CalendarQuery } from '../../src/pages/calendar/calendar-query.js';

/** Takes the accent colour of the address; text on it is black or white, whichever has more contrast. */
export function applyAccent({ accent }: CalendarQuery): void {
  if (accent === undefined) return;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(accent.slice(at, at + 2), 16) / 255;
    // Relative luminance: WCAG 2.2.
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const { style } = document.documentElement;
  style.setProperty('--accent', `#${accent}`);
  style.setProperty('--accent-over', `color-mix(in oklab, #${accent} 85%, var(--text))`);
  style.setProperty('--on-accent', luminance > 0.179 ? '#000000' : '#ffffff');
}

/** Tells the framing page the height of an embedded calendar, in pixels; embed.ts there reads it. */
export function reportHeight({ embed }: CalendarQuery): void {
  if (!embed || parent === window) return;
  const report = () => parent.postMessage({ almanacHeight: document.body.offsetHeight }, '*');
  new ResizeObserver(report).observe(document.body);
  // The script of the framing page may load later than this one.
  addEventListener('message', ({ data }) => data?.almanacHeight === 'report' && report());
}
