// `npm run build` and `npm start` run this: it makes web/dist of web/, what browsers load of our own pages.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'web', 'dist');

/** What pages name in their HTML; what these import comes along. */
const ENTRIES = [
  'web/calendar/calendar.ts',
  'web/calendar/calendar.css',
  'web/public/public.css',
  'web/calendar/embed.ts',
  'web/editor/editor.tsx',
  'web/editor/editor.css',
  'web/editor/declared/declared.css',
];

const old = existsSync(out) ? readdirSync(out) : [];
mkdirSync(out, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ENTRIES,
  outdir: out,
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  // The licences of what is bundled stand at the end of each file.
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
});

// Browsers may keep these files for ever: another content is another name, and pages look the names up here.
const names = Object.fromEntries(
  Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint === undefined
      ? []
      : [[basename(entryPoint).replace(/\.tsx?$/, '.js'), relative(out, join(root, file))]],
  ),
);
// A server that starts meanwhile finds the names of the last build, and all their files.
writeFileSync(join(out, 'names.new'), `${JSON.stringify(names, null, 2)}\n`);
renameSync(join(out, 'names.new'), join(out, 'names.json'));
const current = new Set(['names.json', ...Object.keys(metafile.outputs).map((file) => basename(file))]);
for (const file of old) if (!current.has(file)) rmSync(join(out, file), { recursive: true, force: true });
