import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords } from '../../src/cli/import-records.js';
import { testFolder } from '../support/test-folder.js';

const TABLE = 'title;start_date\r\nGrüße;2027-01-02 10:00\r\n';

describe('the letters of a table', () => {
  const titles = async (bytes: Buffer) => {
    const path = join(await mkdtemp(join(testFolder(), 'table-')), 'table.csv');
    await writeFile(path, bytes);
    const found: unknown[] = [];
    const wish = { zone: 'UTC', occurrences: 0, note: () => undefined };
    for await (const { event } of readRecords(path, wish)) found.push(event?.fields['title']);
    return found;
  };

  it.each([
    ['UTF-8', Buffer.from(TABLE)],
    ['UTF-8 with its sign', Buffer.from(`\ufeff${TABLE}`)],
    ['UTF-16 with its sign', Buffer.from(`\ufeff${TABLE.replaceAll(';', '\t')}`, 'utf16le')],
  ])('are read as %s', async (_name, bytes) => {
    expect(await titles(bytes)).toEqual(['Grüße']);
  });

  it('are refused where they are written otherwise', async () => {
    await expect(titles(Buffer.from(TABLE, 'latin1'))).rejects.toThrow(
      /table\.csv can not be read: it is not UTF-8\. Spreadsheets call that "CSV UTF-8"\.$/,
    );
    await expect(titles(Buffer.from(`${TABLE}é`).subarray(0, -1))).rejects.toThrow(/is not UTF-8/);
  });
});
