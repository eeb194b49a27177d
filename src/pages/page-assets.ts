import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

const NAMES = 'names.json';

/** The files that browsers load of our own pages, which `npm run build` made of web/; pages are readable without them. */
@Injectable()
export class PageAssets {
  /** Seen from src and from dist alike. */
  readonly folder = fileURLToPath(new URL('../../web/dist/', import.meta.url));
  private built?: { names: Readonly<Record<string, string>>; files: ReadonlySet<string> };

  /** Where a file is loaded from, seen from a page at the server's root, by its source's name (`calendar.js`); undefined where nothing was built. */
  address(name: string): string | undefined {
    const file = this.read().names[name];
    return file === undefined ? undefined : `assets/${file}`;
  }

  /** Whether this is one of the files, by the name that it was built under. */
  has(file: string): boolean {
    return file !== NAMES && this.read().files.has(file);
  }

  private read() {
    this.built ??= existsSync(join(this.folder, NAMES))
      ? {
          names: JSON.parse(readFileSync(join(this.folder, NAMES), 'utf8')) as Record<string, string>,
          files: new Set(readdirSync(this.folder)),
        }
      : { names: {}, files: new Set<string>() };
    return this.built;
  }
}
