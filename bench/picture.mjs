// The numbers as a picture for the README, light and dark: node bench/picture.mjs results.json picture.svg
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WIDTH = 760;
const LEFT = 210;
const RIGHT = 110;
const BAR = 13;
const GAP = 14;

/** Works in the order of the picture, with words that a stranger understands; all bars of a part have one scale. */
const PARTS = [
  {
    title: 'Requests per second',
    works: {
      304: 'asked again, unchanged (304)',
      hot: 'the same list again',
      'hot 50': 'the same list of fifty again',
      cold: 'a list never asked before',
      busy: 'the same, beside a writer',
      one: 'one event, first time',
      create: 'create an event',
    },
  },
  {
    title: 'Milliseconds, one after the other (less is better)',
    works: {
      total: 'the total of any filter',
      far: 'a page 50,000 records off',
      search: 'search in all texts',
    },
  },
];

const STYLE = `
  text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 14px } .note { fill: #656d76; font-size: 11px }
  .s0 { fill: #54aeff } .s1 { fill: #0969da } .s2 { fill: #0a3069 } .floor { stroke: #bc4c00; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .note { fill: #8d96a0 }
    .s0 { fill: #a5d6ff } .s1 { fill: #58a6ff } .s2 { fill: #1f6feb } .floor { stroke: #f0883e }
  }`;

/** The picture of the results of a run. */
export function picture({ machine, rows }) {
  const sizes = [...new Set(rows.map(({ events }) => events))];
  const drawn = [];
  let y = 24;
  y = legend(drawn, sizes, y);
  for (const { title, works } of PARTS) {
    const bars = rows.filter(({ work, value }) => work in works && value !== undefined);
    if (bars.length === 0) continue;
    const scale =
      (WIDTH - LEFT - RIGHT) / Math.max(...bars.map(({ value, floor = 0 }) => Math.max(value, floor)));
    drawn.push(text(16, y, title, 'title'));
    y += 14;
    for (const [work, name] of Object.entries(works)) {
      const group = bars.filter((row) => row.work === work);
      if (group.length === 0) continue;
      drawn.push(text(16, y + (BAR * group.length) / 2 + 4, name));
      for (const row of group) {
        drawn.push(bar(row, sizes.indexOf(row.events), y, scale));
        y += BAR;
      }
      y += GAP;
    }
    y += 14;
  }
  const { cores, memory, node, mariadb } = machine;
  const where = `${cores} cores shared by server, database and client, ${memory}, Node ${node}, MariaDB ${mariadb}`;
  drawn.push(text(16, y, where, 'note'));
  const box = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 12}" width="${WIDTH}" role="img"`;
  return `<svg ${box} aria-label="Speed of Almanac">\n<style>${STYLE}\n</style>\n${drawn.join('\n')}\n</svg>\n`;
}

function legend(drawn, sizes, y) {
  let x = 16;
  for (const [at, size] of sizes.entries()) {
    drawn.push(`<rect class="s${at}" x="${x}" y="${y - 10}" width="12" height="12" rx="2"/>`);
    drawn.push(text(x + 18, y, `${size.toLocaleString('en')} events`));
    x += 140;
  }
  drawn.push(`<line class="floor" x1="${x}" x2="${x}" y1="${y - 11}" y2="${y + 2}"/>`);
  drawn.push(text(x + 8, y, 'the least that Node and MariaDB need'));
  return y + 36;
}

function bar({ value, floor, unit }, at, y, scale) {
  const width = Math.max(1, value * scale);
  const mark = LEFT + (floor ?? 0) * scale;
  const number = value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2));
  const end = Math.max(LEFT + width, floor ? mark : 0) + 6;
  return [
    `<rect class="s${at}" x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}" rx="2"/>`,
    ...(floor
      ? [
          `<line class="floor" x1="${mark.toFixed(1)}" x2="${mark.toFixed(1)}" y1="${y - 1}" y2="${y + BAR - 1}"/>`,
        ]
      : []),
    text(end.toFixed(1), y + BAR - 3, unit === 'ms' ? `${number} ms` : number, 'note'),
  ].join('');
}

function text(x, y, words, kind) {
  return `<text x="${x}" y="${y}"${kind ? ` class="${kind}"` : ''}>${words}</text>`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , from, to] = process.argv;
  writeFileSync(to, picture(JSON.parse(readFileSync(from, 'utf8'))));
}
