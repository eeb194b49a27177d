import type { Scope } from 'almanac-client';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { dropDrafts } from './autosave.js';
import { TEXTS } from './catalogue.js';
import { Ask, Dialog } from './dialogs.js';
import { quickGroups, RecordForm } from './form.js';
import { ListPage } from './list-page.js';
import type { Choice, Resource } from './model.js';
import { RecordPage } from './record-page.js';
import { AskScope } from './recurrence/scope-dialog.js';
import { mayCreate } from './rights.js';
import { parseRoute } from './route.js';
import { signOut } from './session.js';
import type { Settings } from './settings.js';
import { type Question, type ScopeQuestion, type Shell, ShellContext } from './shell.js';
import { RequestAuthenticator, reopen, type SignedIn, SignInForm } from './sign-in.js';
import { titleOf } from './texts.js';

const T = TEXTS.frame;

/** The whole page: signing in, then the editor. */
export function App({ settings }: { settings: Settings }) {
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [isReopening, setReopening] = useState(true);
  useEffect(() => {
    reopen(settings)
      .then(setSignedIn, () => undefined)
      .finally(() => setReopening(false));
  }, [settings]);
  if (isReopening)
    return (
      <main class="muted">
        <p>{T.loading}</p>
      </main>
    );
  if (!signedIn) return <RequestAuthenticator settings={settings} onDone={setSignedIn} />;
  return <Editor settings={settings} {...signedIn} onSignedIn={setSignedIn} />;
}

const LEAVE: Question = {
  title: T.leaveTitle,
  text: T.leaveText,
  yes: T.leave,
  no: T.stay,
  isDangerous: true,
};

/** What was said last, at the address where it was said: the next page is silent. */
interface Message {
  text: string;
  isFault?: boolean;
  undo?: () => void;
  hash?: string;
}

const SILENCE: Message = { text: '' };

/** What is open over the page. */
type Over =
  | { question: Question; answer: (yes: boolean) => void }
  | { scopes: ScopeQuestion; answer: (scope?: Scope) => void }
  | { resource: Resource; name: string; onCreated: (choice: Choice | undefined) => void }
  | 'sign-in';

function Editor({
  settings,
  session,
  resources,
  onSignedIn,
}: SignedIn & {
  settings: Settings;
  /** Hears who signed in again; undefined for nobody. */
  onSignedIn: (signedIn: SignedIn | undefined) => void;
}) {
  const [hash, setHash] = useState(location.hash);
  const [message, setMessage] = useState<Message>(SILENCE);
  const [isLeaving, setLeaving] = useState(false);
  const [over, setOver] = useState<Over>();
  const unsaved = useRef(false);
  const main = useRef<HTMLElement>(null);
  const { resource, record, copy, day, place } = parseRoute(hash, resources);

  const shell: Shell = useMemo(
    () => ({
      settings,
      session,
      resources,
      say: (text, undo) => setMessage({ text, undo, hash: location.hash }),
      complain: (text, undo) => setMessage({ text, isFault: true, undo, hash: location.hash }),
      ask: (question) =>
        new Promise((resolve) => {
          setOver({
            question,
            answer: (yes: boolean) => {
              setOver(undefined);
              resolve(yes);
            },
          });
        }),
      askScope: (scopes) =>
        new Promise((resolve) => {
          setOver({
            scopes,
            answer: (scope?: Scope) => {
              setOver(undefined);
              resolve(scope);
            },
          });
        }),
      makeBeside: (of, name) =>
        new Promise((resolve) => {
          setOver({
            resource: of,
            name,
            onCreated: (choice) => {
              setOver(undefined);
              resolve(choice);
            },
          });
        }),
      signInAgain: () => setOver('sign-in'),
      setUnsaved: (isUnsaved) => {
        unsaved.current = isUnsaved;
      },
      isUnsaved: () => unsaved.current,
    }),
    [settings, session, resources],
  );

  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => unsaved.current && event.preventDefault();
    const follow = async () => {
      const wanted = location.hash;
      if (wanted === hash) return;
      if (unsaved.current) {
        history.replaceState(null, '', hash || '#/');
        if (!(await shell.ask(LEAVE))) return;
        unsaved.current = false;
        history.replaceState(null, '', wanted);
      }
      setHash(wanted);
      setMessage((old) => (old.hash === wanted ? old : SILENCE));
    };
    addEventListener('beforeunload', stay);
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('beforeunload', stay);
      removeEventListener('hashchange', follow);
    };
  }, [hash, shell]);

  const where = `${resource.kind}/${record ?? ''}/${copy ?? ''}`;
  // Another page begins at its heading, before anybody can type into it.
  useLayoutEffect(() => {
    main.current?.querySelector<HTMLElement>('h1')?.focus();
    document.title = fill(T.partTitle, { label: resource.label, site: settings.site });
  }, [where]);

  const go = (next: string) => {
    location.hash = next;
  };
  /** Goes where a change leads, with what was said of it. */
  const goOn = (next: string) => {
    go(next);
    setMessage((old) => ({ ...old, hash: location.hash }));
  };
  const menu = resources.filter(({ isHidden }) => !isHidden);
  const mayAnything = resources.some((one) => mayCreate(session, one));
  return (
    <ShellContext.Provider value={shell}>
      <header>
        <div class="wide">
          <span class="site" dir="auto">
            {settings.site}
          </span>
          <nav aria-label={T.records}>
            <ul>
              {menu.map(({ kind, label }) => (
                <li key={kind}>
                  <a href={`#/${kind}`} aria-current={kind === resource.kind ? 'true' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <span class="who" dir="auto">
            {session.name}
          </span>
          <button
            type="button"
            class="small"
            disabled={isLeaving}
            onClick={async () => {
              if (unsaved.current && !(await shell.ask(LEAVE))) return;
              setLeaving(true);
              if (!(await signOut(settings))) {
                setLeaving(false);
                return shell.complain(T.signOutFailed);
              }
              unsaved.current = false;
              dropDrafts(session.id);
              onSignedIn(undefined);
            }}
          >
            {T.signOut}
          </button>
        </div>
      </header>
      <main ref={main} class="wide">
        {settings.readOnly && <p class="notice warning">{T.readOnly}</p>}
        {!settings.readOnly && !mayAnything && <p class="notice">{T.noRights}</p>}
        <div role="status" class={message.text && `notice ${message.isFault ? 'danger' : 'success'}`}>
          {message.text}
          {message.undo && (
            <>
              {' '}
              <button
                type="button"
                class="small"
                onClick={() => {
                  setMessage(SILENCE);
                  message.undo?.();
                }}
              >
                {T.undo}
              </button>
            </>
          )}
        </div>
        {record === undefined ? (
          <ListPage key={resource.kind} resource={resource} place={place} go={go} />
        ) : (
          <RecordPage
            key={where}
            resource={resource}
            id={record === 'new' ? undefined : record}
            copy={copy}
            day={day}
            go={goOn}
          />
        )}
      </main>
      {over === 'sign-in' ? (
        <Dialog title={T.signInAgain} onClose={() => setOver(undefined)}>
          <SignInForm
            settings={settings}
            onDone={(again) => {
              setOver(undefined);
              onSignedIn(again);
              shell.say(T.signedInAgain);
            }}
          />
        </Dialog>
      ) : over && 'question' in over ? (
        <Ask question={over.question} onAnswer={over.answer} />
      ) : over && 'scopes' in over ? (
        <AskScope question={over.scopes} onAnswer={over.answer} />
      ) : (
        over && <Beside {...over} />
      )}
    </ShellContext.Provider>
  );
}

/** Makes a record over the form that will have it. */
function Beside({
  resource,
  name,
  onCreated,
}: {
  resource: Resource;
  name: string;
  onCreated: (choice?: Choice) => void;
}) {
  const { title, texts } = resource;
  return (
    <Dialog title={texts.new} onClose={() => onCreated()}>
      <RecordForm
        prefix="beside"
        resource={resource}
        groups={quickGroups(resource)}
        isQuick
        begun={{ [title]: name }}
        saveLabel={() => texts.create}
        onSaved={(row) => onCreated({ id: row.id, label: titleOf(row, title) })}
        onCancel={() => onCreated()}
      />
    </Dialog>
  );
}
