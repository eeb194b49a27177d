import type { Locator, Page } from 'playwright-core';

/** Runs in the page: what keeps a person from seeing the focused element; the empty text if nothing does. */
function troubleOfFocus(): string {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return '';
  const name = `${element.tagName.toLowerCase()} "${(element.textContent || element.getAttribute('aria-label') || element.id).trim().slice(0, 40)}"`;
  const [box] = element.getClientRects();
  if (!box || box.width === 0 || box.height === 0) return `${name} has no size`;
  const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
  const y = box.top + Math.min(box.height / 2, 20);
  if (y < 0 || y > innerHeight || box.left >= innerWidth || box.right <= 0)
    return `${name} is outside the window`;
  const top = document.elementFromPoint(x, y);
  const isOver =
    top && !element.contains(top) && !top.contains(element) && !top.closest('label')?.contains(element);
  if (isOver) return `${name} is behind ${top.tagName.toLowerCase()}.${top.className}`;
  const hasRing = (one: Element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  // Inputs of dates and times mark their focused part.
  if (element.matches('[type=date], [type=time], [type=month]')) return '';
  let around: Element | null = element;
  for (let up = 0; up < 3 && around; up++, around = around.parentElement) if (hasRing(around)) return '';
  return `${name} does not show that it has the focus`;
}

/** Presses Tab, or Shift+Tab, until an element has the focus; fails if a focused element on the way is not visible as such. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let at = 0; at < 200; at++) {
    const isThere = await target.first().evaluate((element) => element === document.activeElement);
    if (isThere) return;
    await page.keyboard.press(key);
    const trouble = await page.evaluate(troubleOfFocus);
    if (trouble) throw new Error(`${trouble}, ${page.viewportSize()?.width} pixels wide, at ${page.url()}`);
  }
  throw new Error(`200 times ${key} did not reach ${target}`);
}

/** Moves the focus to an element by Tab and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
