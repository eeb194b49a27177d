import { DataSource } from 'typeorm';
import { Changes } from '../../src/database/changes.js';
import { startTestServer } from '../../src/testing.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';

const NOW = '2026-10-14T09:30:00Z';

describeInBrowser('the calendar page of a German site', () => {
  it('speaks its language, and its week begins as the site says', async () => {
    const browser = await startBrowser();
    const server = await startTestServer({ demo: true, now: NOW });
    try {
      const rows = server.app.get(DataSource);
      for (const [name, value] of [
        ['WPLANG', 'de_DE'],
        ['start_of_week', '0'],
        ['time_format', 'H:i'],
      ]) {
        await rows.query(`DELETE FROM wp_options WHERE option_name = '${name}'`);
        await rows.query(
          `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('${name}', '${value}', 'yes')`,
        );
      }
      server.app.get(Changes).forget();
      const page = await browser.newPage({ locale: 'en-US' });
      await page.clock.setFixedTime(NOW);
      await page.goto(`${await server.app.getUrl()}/calendar`);
      await page.locator('.ev', { hasText: '20:30' }).first().waitFor();
      expect(await page.locator('#title').textContent()).toBe('Oktober 2026');
      expect(await page.locator('[role="columnheader"]').first().textContent()).toBe('So');
      await page.getByRole('button', { name: 'Liste' }).click();
      await page.locator('.list-head', { hasText: 'Mittwoch' }).first().waitFor();
    } finally {
      await browser.close();
      await server.close();
    }
  });
});
