import { element } from './page.js';
import { readShortcuts, storeShortcuts } from './preferences.js';

/** Where a key is typed, or belongs to what is open. */
const TYPING = 'input:not([type="checkbox"]), select, textarea, dialog, [role="dialog"]';

/** Lets single keys press the buttons that name them and lead to the search; a box turns them off. */
export function watchKeys(): void {
  const box = element<HTMLInputElement>('shortcuts');
  const controls = [...document.querySelectorAll<HTMLElement>('[data-key]')];
  const tell = () => {
    for (const control of controls)
      control.ariaKeyShortcuts = box.checked ? (control.dataset['key'] ?? null) : null;
  };
  box.checked = readShortcuts();
  tell();
  box.addEventListener('change', () => {
    storeShortcuts(box.checked);
    tell();
  });
  addEventListener('keydown', (press) => {
    const { key, ctrlKey, metaKey, altKey, target } = press;
    if (!box.checked || ctrlKey || metaKey || altKey || press.defaultPrevented) return;
    if ((target as HTMLElement).closest?.(TYPING)) return;
    const control = controls.find(({ dataset }) => dataset['key'] === key);
    if (!control) return;
    press.preventDefault();
    const folded = control.closest('details');
    if (folded) folded.open = true;
    if (control instanceof HTMLInputElement) control.focus();
    else control.click();
  });
}
