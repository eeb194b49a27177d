import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** The axe violations of the current page, one line per element. */
export async function findings(page: Page): Promise<string[]> {
  // The content security policies of the pages forbid injected scripts; the debugger may run one.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'axe.run().then(({ violations }) => JSON.stringify(violations))',
    awaitPromise: true,
  });
  const found = JSON.parse(result.value as string) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
