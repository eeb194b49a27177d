// npm run new:resource NAME [SINGULAR]: makes a package for a resource of one's own, such as `workshops`, in a folder NAME of the
// working directory. What it writes is there to be changed; docs/extending.md says how.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templates } from './new-resource-templates.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SEGMENT = /^[a-z][a-z\d]*(-[a-z\d]+)*$/;
/** Post types of WordPress and of the calendar. */
const TAKEN_TYPE = /^(post|page|attachment|revision|nav_menu_item|custom_css|tribe_.*)$/;
/** Characters of the column `post_type`. */
const MAX_TYPE_LENGTH = 20;
const USAGE = 'Usage: npm run new:resource NAME [SINGULAR], such as npm run new:resource workshops.';

/** Writes the package into a new folder of `folder` and returns its path; throws an error of one sentence for an invalid name. */
export function makeResource(folder, name, one = singularOf(name ?? '')) {
  if (name === undefined) throw new Error(USAGE);
  for (const word of [name, one])
    if (!SEGMENT.test(word))
      throw new Error(`"${word}" will not do: lowercase letters, digits and single hyphens, a letter first.`);
  if (takenPaths().includes(name)) throw new Error(`There is /${name} already: choose another name.`);
  const type = one.replaceAll('-', '_');
  if (TAKEN_TYPE.test(type)) throw new Error(`"${type}" is a post type already: give another singular.`);
  if (type.length > MAX_TYPE_LENGTH)
    throw new Error(
      `"${type}" is longer than the ${MAX_TYPE_LENGTH} characters of a post type: give a singular.`,
    );
  const target = resolve(folder, name);
  if (existsSync(target)) throw new Error(`${target} is there already.`);
  const versions = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const almanac = `file:${relative(target, ROOT).replaceAll('\\', '/')}`;
  for (const [path, text] of Object.entries(templates({ name, one, type, almanac, versions }))) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  return target;
}

/** `workshops` is about a workshop, `parties` about a party, `classes` about a class. */
function singularOf(name) {
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}

/** First segments of routes that there are. */
function takenPaths() {
  const definitions = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-type.ts'))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
  return ['doc', ...definitions.flatMap((text) => /^ +path: '(.*?)'/m.exec(text)?.[1] ?? [])];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, one] = process.argv.slice(2);
  try {
    // npm runs scripts in the folder of package.json, and says from where it was called.
    const created = makeResource(process.env.INIT_CWD ?? process.cwd(), name, one);
    console.log(
      `${basename(created)} is made. In its folder, once Almanac is built: npm install, then npm test or npm run start:dev.`,
    );
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
