import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { StartError } from '../database/start-error.js';

const NAMES = 'names.json';

/** What a build made. */
interface Built {
  /** When, in epoch milliseconds; 0 for never. */
  builtAt: number;
  /** Names of files by their sources'. */
  names: Readonly<Record<string, string>>;
  files: ReadonlySet<string>;
}

/** The files that browsers load of our own pages, which `npm run build` made of web/; pages are readable without them. */
@Injectable()
export class PageAssets {
  /** Seen from src and from dist alike. */
  private readonly folder = fileURLToPath(new URL('../../web/dist/', import.meta.url));
  private built: Built = { builtAt: 0, names: {}, files: new Set() };
  /** The site's own style sheet, `THEME_STYLESHEET`. */
  private readonly theme?: { file: string; path: string };

  constructor({ themeStylesheet }: Environment) {
    this.theme = themeStylesheet === undefined ? undefined : themeAt(resolve(themeStylesheet));
  }

  /** Where a file is loaded from, seen from a page at the server's root, by its source's name (`calendar.js`); undefined where nothing was built. */
  address(name: string): string | undefined {
    const file = name === 'theme.css' ? this.theme?.file : this.read().names[name];
    return file === undefined ? undefined : `assets/${file}`;
  }

  /** The path of one of the files, by the name that it was built under; undefined for others. */
  pathOf(file: string): string | undefined {
    if (file === this.theme?.file) return this.theme.path;
    return file !== NAMES && this.read().files.has(file) ? join(this.folder, file) : undefined;
  }

  /** Reads the names again after a build. */
  private read(): Built {
    const path = join(this.folder, NAMES);
    const builtAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (builtAt === 0 || builtAt === this.built.builtAt) return this.built;
    try {
      const names = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
      this.built = { builtAt, names, files: new Set(readdirSync(this.folder)) };
    } catch {
      // A build is writing it: the next page reads it.
    }
    return this.built;
  }
}

/** Browsers may keep files for ever, so the name of a theme contains a hash of its content. */
function themeAt(path: string): { file: string; path: string } {
  try {
    const content = createHash('sha256').update(readFileSync(path)).digest('hex');
    return { file: `theme-${content.slice(0, 8)}.css`, path };
  } catch (error) {
    throw new StartError(`THEME_STYLESHEET: ${path} cannot be read: ${(error as Error).message}`);
  }
}
