import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';

/** The page's element with this id, which the server has put there. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** What the page says of itself. */
export function readSettings(): ScriptSettings {
  return JSON.parse(element('settings').textContent ?? '') as ScriptSettings;
}
