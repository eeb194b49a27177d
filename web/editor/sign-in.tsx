import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { TEXTS } from './catalogue.js';
import type { Resource } from './model.js';
import { RESOURCES } from './resources.js';
import { resume, type Session, SignInError, signIn } from './session.js';
import type { Settings } from './settings.js';

const T = TEXTS.frame;

/** A user, and the kinds of records for them. */
export interface SignedIn {
  session: Session;
  resources: readonly Resource[];
}

/** Signs in with what was typed. */
async function open(settings: Settings, login: string, password: string): Promise<SignedIn> {
  return withForms(settings, await signIn(settings, login, password));
}

/** Who is signed in from before this page was loaded. */
export async function reopen(settings: Settings): Promise<SignedIn | undefined> {
  const session = await resume(settings);
  return session && withForms(settings, session);
}

/** Loads the forms of plugins where there are any. */
async function withForms(settings: Settings, session: Session): Promise<SignedIn> {
  if (settings.forms === '') return { session, resources: RESOURCES };
  const [{ withDeclared }, forms] = await Promise.all([import('./declared/forms.js'), session.forms()]);
  return { session, resources: withDeclared(RESOURCES, forms, session.siteZone) };
}

interface SignInProps {
  settings: Settings;
  onDone: (signedIn: SignedIn) => void;
}

/** The page that asks for login and application password; both are gone with it. */
export function RequestAuthenticator(props: SignInProps) {
  return (
    <main class="sign-in">
      <div class="card">
        <h1>{T.signIn}</h1>
        <p class="muted">{fill(T.signInTo, { site: props.settings.site })}</p>
        <SignInForm {...props} />
      </div>
    </main>
  );
}

/** The fields of it; also over what is open when a password is not accepted any more. */
export function SignInForm({ settings, onDone }: SignInProps) {
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const login = useRef<HTMLInputElement>(null);

  // Before the first paint: later, it would take the focus from a field that somebody types into.
  useLayoutEffect(() => login.current?.focus(), []);

  async function submit(event: Event) {
    event.preventDefault();
    const [name, secret] = [login.current?.value.trim() ?? '', password.current?.value ?? ''];
    if (isSending) return;
    if (name === '' || secret.trim() === '') {
      setProblem(T.bothNeeded);
      (name === '' ? login : password).current?.focus();
      return;
    }
    setSending(true);
    setProblem('');
    try {
      onDone(await open(settings, name, secret));
    } catch (error) {
      setProblem(error instanceof SignInError ? error.message : T.signInFailed);
      setSending(false);
      password.current?.focus();
      password.current?.select();
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <div role="alert">{problem && <p class="notice danger">{problem}</p>}</div>
      <div class="field">
        <label for="login">{T.login}</label>
        <input
          id="login"
          ref={login}
          dir="auto"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
        />
      </div>
      <div class="field">
        <label for="password">{T.password}</label>
        <input
          id="password"
          ref={password}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="password-help"
        />
        <p class="help" id="password-help">
          {T.passwordHelp}
        </p>
      </div>
      <button type="submit" class="primary" disabled={isSending}>
        {isSending ? T.signingIn : T.signIn}
      </button>
    </form>
  );
}
