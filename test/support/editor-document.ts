import { EDITOR_EN } from '../../src/pages/texts/editor-en.js';
import { RECURRENCE_EN } from '../../src/pages/texts/recurrence-en.js';

// What web/editor/catalogue.ts reads of the page and the browser, in English: imported first by specs of modules that
// run without a browser.

Object.assign(globalThis, {
  document: {
    documentElement: { lang: 'en' },
    getElementById: () => ({ textContent: JSON.stringify({ ...EDITOR_EN, rules: RECURRENCE_EN }) }),
  },
});
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] }, configurable: true });
