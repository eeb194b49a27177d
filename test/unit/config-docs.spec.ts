import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentWith, envExample } from '../../scripts/config-table.mjs';
import * as env from '../../src/config/data/variables.js';

const read = (name: string) => readFileSync(join(__dirname, '..', '..', name), 'utf8');

// When one of these fails: npm run build && node scripts/config-table.mjs
describe('the documentation of the configuration', () => {
  it('matches the declarations in docs/configuration.md', () => {
    const document = read('docs/configuration.md');
    expect(documentWith(document, env)).toBe(document);
  });

  it('matches the declarations in .env.example', () => {
    expect(read('.env.example')).toBe(envExample(env));
    expect(read('.env.example')).not.toContain('](');
  });
});
