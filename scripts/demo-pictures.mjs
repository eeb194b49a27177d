// Draws the pictures of the demo's events into src/setup/data/pictures: node scripts/demo-pictures.mjs
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const WIDTH = 1200;
const HEIGHT = 675;
const folder = fileURLToPath(new URL('../src/setup/data/pictures', import.meta.url));

const rect = (x, y, width, height, fill, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const circle = (x, y, radius, fill, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" ${more}/>`;
const path = (d, fill, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;
const line = (d, stroke, width) =>
  path(d, 'none', `stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"`);
const times = (count, draw) => Array.from({ length: count }, (_, index) => draw(index)).join('');

/** The drawings, by the name of their file; each begins with its background. */
const DRAWINGS = {
  market: [
    rect(0, 0, WIDTH, HEIGHT, '#f4e6c8'),
    times(8, (n) => rect(n * 150, 0, 75, 190, '#c8432f') + circle(n * 150 + 37, 190, 37, '#c8432f')),
    times(8, (n) => circle(n * 150 + 112, 190, 37, '#fffaf0')),
    rect(0, 500, WIDTH, 175, '#8a5a34'),
    times(4, (n) =>
      circle(170 + n * 130, 430 + (n % 2) * 16, 74, ['#d9842b', '#7a9a3b', '#b7352c', '#e2b33c'][n]),
    ),
    circle(790, 420, 92, '#4d7a3a'),
    path('M900 500 L960 250 L1020 500 Z', '#e07b2a'),
    path('M940 260 Q960 160 980 260 Z', '#4d7a3a'),
    path('M1030 500 L1085 300 L1140 500 Z', '#e9933f'),
  ],
  jazz: [
    rect(0, 0, WIDTH, HEIGHT, '#14213d'),
    circle(860, 340, 330, '#1f3a6d'),
    circle(860, 340, 235, '#e8a33d'),
    path(
      'M250 90 L310 90 L310 430 Q310 600 470 600 Q640 600 640 430 L640 330 L760 250 L760 480 Q740 660 480 660 Q250 660 250 430 Z',
      '#f6d08a',
    ),
    times(5, (n) => circle(280, 170 + n * 74, 17, '#14213d')),
    times(4, (n) => line(`M${880 + n * 70} ${130 + n * 50} q60 -50 120 0`, '#14213d', 12)),
  ],
  film: [
    rect(0, 0, WIDTH, HEIGHT, '#0f3d4c'),
    path('M0 480 Q300 420 600 480 T1200 480 L1200 675 L0 675 Z', '#1b6a7c'),
    path('M0 570 Q300 510 600 570 T1200 570 L1200 675 L0 675 Z', '#2f94a3'),
    path('M170 250 L1200 60 L1200 440 Z', '#f5e7b2', 'opacity="0.85"'),
    rect(60, 210, 150, 90, '#10191d', 'rx="12"'),
    circle(95, 175, 48, '#e4572e') + circle(95, 175, 16, '#10191d'),
    circle(185, 185, 36, '#e4572e') + circle(185, 185, 12, '#10191d'),
    circle(985, 250, 88, '#e4572e'),
  ],
  cellos: [
    rect(0, 0, WIDTH, HEIGHT, '#efe3d3'),
    rect(600, 0, 600, HEIGHT, '#7b2d26'),
    ...[
      [300, '#7b2d26', '#efe3d3'],
      [900, '#efe3d3', '#7b2d26'],
    ].map(
      ([x, body, string]) =>
        circle(x, 300, 105, body) +
        circle(x, 480, 145, body) +
        rect(x - 20, 30, 40, 250, body) +
        times(4, (n) => line(`M${x - 12 + n * 8} 50 V560`, string, 2.5)) +
        line(`M${x - 70} 360 q-30 50 10 95`, string, 7) +
        line(`M${x + 70} 360 q30 50 -10 95`, string, 7),
    ),
  ],
  moon: [
    rect(0, 0, WIDTH, HEIGHT, '#1a1f3b'),
    circle(820, 220, 130, '#f7efc9'),
    times(14, (n) => circle((n * 397) % WIDTH, (n * 131) % 330, 3 + (n % 3), '#f7efc9')),
    rect(0, 420, WIDTH, 255, '#2a3563'),
    times(8, (n) =>
      rect(760 - n * 18 + (n % 2) * 26, 440 + n * 28, 120 + n * 22, 9, '#f7efc9', 'opacity="0.75"'),
    ),
    times(9, (n) =>
      path(`M${n * 95 - 40} 425 l46 -${130 + (n % 3) * 60} l46 ${130 + (n % 3) * 60} Z`, '#0e1226'),
    ),
  ],
  cherry: [
    rect(0, 0, WIDTH, HEIGHT, '#f9dfe3'),
    rect(0, 540, WIDTH, 135, '#7fa05c'),
    path(
      'M560 560 Q590 400 500 270 L540 255 Q600 340 615 400 Q640 300 730 230 L760 255 Q660 350 650 560 Z',
      '#5b3a2e',
    ),
    times(26, (n) =>
      circle(
        330 + ((n * 173) % 560),
        70 + ((n * 97) % 260),
        34 + (n % 4) * 12,
        ['#e58aa0', '#f2b3c0', '#d96684'][n % 3],
        'opacity="0.9"',
      ),
    ),
    times(10, (n) => circle(90 + ((n * 311) % 1040), 565 + ((n * 53) % 80), 9, '#e58aa0')),
    path('M0 0 H190 Q150 340 0 600 Z', '#a4223b') + path('M1200 0 H1010 Q1050 340 1200 600 Z', '#a4223b'),
  ],
  posters: [
    rect(0, 0, WIDTH, HEIGHT, '#f2c230'),
    ...[
      [110, '#1d1d1b', 'a', -6],
      [400, '#c8322b', 'R', 4],
      [690, '#1d1d1b', '&amp;', -3],
      [960, '#1f5fa8', 'g', 7],
    ].map(
      ([x, fill, letter, turn]) =>
        `<g transform="rotate(${turn} ${x + 75} 340)">${rect(x - 30, 150, 230, 380, '#fff8e1')}` +
        `<text x="${x + 85}" y="430" font-family="serif" font-weight="bold" font-size="270" text-anchor="middle" fill="${fill}">${letter}</text></g>`,
    ),
    rect(0, 600, WIDTH, 30, '#1d1d1b'),
  ],
  kites: [
    rect(0, 0, WIDTH, HEIGHT, '#bfe3f2'),
    circle(220, 190, 70, '#fff') + circle(310, 170, 90, '#fff') + circle(400, 200, 62, '#fff'),
    path('M0 600 Q400 500 700 590 T1200 560 L1200 675 L0 675 Z', '#6aa84f'),
    ...[
      [640, 120, '#e4572e', '#f3a712'],
      [920, 220, '#3a6ea5', '#9bc53d'],
      [460, 290, '#8e4585', '#f7d6e0'],
    ].map(
      ([x, y, left, right]) =>
        path(`M${x} ${y - 90} L${x - 70} ${y} L${x} ${y + 120} Z`, left) +
        path(`M${x} ${y - 90} L${x + 70} ${y} L${x} ${y + 120} Z`, right) +
        line(`M${x} ${y + 120} q40 60 0 110 t0 ${600 - y - 260}`, '#40514e', 4),
    ),
  ],
};

mkdirSync(folder, { recursive: true });
for (const [name, parts] of Object.entries(DRAWINGS)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${parts.join('')}</svg>`;
  const { size } = await sharp(Buffer.from(svg))
    .webp({ quality: 80, effort: 6 })
    .toFile(join(folder, `${name}.webp`));
  console.log(`${name}.webp ${size}`);
}
