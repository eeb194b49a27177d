import type { Plugin } from './app.module.js';

/** The plugins of this build; the only file that an enterprise build replaces. */
export const plugins: readonly Plugin[] = [];
