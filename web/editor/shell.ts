import type { Scope } from 'almanac-client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Choice, Resource } from './model.js';
import type { Session } from './session.js';
import type { Settings } from './settings.js';

/** A question that is asked before something is done. */
export interface Question {
  title: string;
  text: string;
  yes: string;
  no?: string;
  isDangerous?: boolean;
}

/** Asks which dates of an event a write concerns. */
export interface ScopeQuestion {
  title: string;
  /** What the button does. */
  yes: string;
  isDangerous?: boolean;
  choices: readonly ScopeChoice[];
}

/** An answer to the question. */
export interface ScopeChoice {
  scope: Scope;
  label: string;
  /** What comes of it. */
  hint?: string;
  /** Whether it cannot be chosen, as the hint says. */
  isOff?: boolean;
}

/** What the parts of the page ask of the page around them. */
export interface Shell {
  settings: Settings;
  session: Session;
  /** All kinds of records, in the order of the menu. */
  resources: readonly Resource[];
  /** Tells people, those who cannot see it too; with a way to undo what was done. */
  say(message: string, undo?: () => void): void;
  /** The same of what did not work. */
  complain(message: string, undo?: () => void): void;
  ask(question: Question): Promise<boolean>;
  /** Asks which dates of an event are meant; undefined where that was given up. */
  askScope(question: ScopeQuestion): Promise<Scope | undefined>;
  /** Has another record made beside the form that is open; undefined where that was given up. */
  makeBeside(resource: Resource, name: string): Promise<Choice | undefined>;
  /** Asks for login and password over what is open, which stays as it is. */
  signInAgain(): void;
  /** Notes whether something would be lost by leaving. */
  setUnsaved(isUnsaved: boolean): void;
  isUnsaved(): boolean;
}

/** The page around a part of it. */
export const ShellContext = createContext<Shell | undefined>(undefined);

/** The page around this part; only parts within it may ask. */
export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('no shell around this');
  return shell;
}
