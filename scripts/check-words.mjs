// Fails on home-made words for things that have a standard term: npm run check:words. `--count` prints the number per folder and word.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Names of code, whole: what stands left is called as on the right. */
const NAMES = {
  KeptAnswers: 'ResponseCache',
  KeptAnswer: 'CachedResponse',
  keptKey: 'responseCacheKey',
  isPlainRead: 'isCacheableRequest',
  mayBeShared: 'isPubliclyCacheable',
  SHAPING: 'RESPONSE_PARAMS',
  KeptLookups: 'LookupCache',
  Lookups: 'RequestLoader',
  KeptFiles: 'StaticFiles',
  KeptPosts: 'PostCache',
  KeptTerms: 'TermCache',
  KeptReading: 'VersionedCache',
  ListTotals: 'CountCache',
  RecordTexts: 'RecordCache',
  TextsOfList: 'RecordCacheView',
  PreparedTexts: 'RecordStore',
  TextsOnDisk: 'AppendOnlyFileStore',
  PreparedEvents: 'CacheWarmer',
  printsOf: 'rowChecksums',
  MadeOf: 'Dependencies',
  MadeRecord: 'RenderedRecord',
  isWorn: 'needsCompaction',
  JsonText: 'SerializedJson',
  WrittenText: 'ResponseBody',
  OtherBody: 'RawBody',
  Outgoing: 'SerializedResponse',
  UnreadAnswers: 'SlowClientLimiter',
  answerBeneathExpress: 'installFastPath',
  OWN_LAYERS: 'isStockPipeline',
  hasOnlyOwnLayers: 'isStockPipeline',
  isOursAlone: 'isStockPipeline',
  RequestWatch: 'RequestLogger',
  linger: 'drainRequestBody',
  inTurn: 'serializePipelinedRequests',
  replyAsWritten: 'patchAdapterReply',
  SignIn: 'RequestAuthenticator',
  noteSender: 'setCurrentUser',
  RestSwitchMiddleware: 'RestDisabledMiddleware',
  oversized: 'checkParameterSize',
  Verdict: 'CheckResult',
  giveContext: 'bindContext',
  giveSent: 'bindRawParams',
  sentOf: 'getRawParams',
  stacked: 'applyDecorators',
  shownDefault: 'documentedDefault',
  asTextAlone: 'allowSerialized',
  isAlias: 'isRewritten',
  ROOT_PLACE: 'ROOT_BASE',
  Breather: 'EventLoopYielder',
  gentlyAll: 'mapYieldingAsync',
  workAs: 'runWith',
  currentWork: 'getStore',
  CallerGone: 'ClientDisconnected',
  stillWanted: 'throwIfAborted',
  letLag: 'allowReplica',
  mayLag: 'canUseReplica',
  workForAnybody: 'runInBackground',
  workForAll: 'runDetached',
  SharedWork: 'SingleFlight',
  noteStored: 'markCommitted',
  hasStored: 'hasCommitted',
  followedBy: 'subscribe',
  hiddenChange: 'detectUntimedChange',
  Refusal: 'RestException',
  noteHeaders: 'setErrorHeaders',
  isVain: 'isNoop',
  PostWish: 'PostInput',
  LinkedPostWish: 'LinkedPostInput',
  isLeftAlone: 'isUnchanged',
  AskedList: 'ListQuery',
  PageOfPosts: 'PostPage',
  ShownPost: 'LoadedPost',
  EventBundle: 'LoadedEvent',
  EventBundlesService: 'EventLoader',
  CarriedTerms: 'PostTermsService',
  RecordsWithEvents: 'LinkedRecordIndex',
  CleanForm: 'NormalizedFormat',
  PostResourceTools: 'PostResourceDeps',
  EventQuestion: 'EventIndexQuery',
  OrderedAnswers: 'SortedResults',
  SpareArrays: 'TypedArrayPool',
  GrowingNumbers: 'GrowableFloat64Array',
  WordTable: 'Dictionary',
  LATELY: 'DEMAND_WINDOW_MS',
  calledOff: 'isCancelled',
  beginningOf: 'truncate',
  OddAddress: 'InvalidCalendarUrl',
  leadToCalendar: 'redirectToCalendar',
  homeMismatch: 'checkHomeUrl',
  whyRefused: 'systemErrorMessage',
  oneOfTries: 'retry',
  Dice: 'SeededRandom',
  UnlockQuery: 'ReadQuery',
  AbortState: 'Caller',
  isRepeated: 'hasSeveral',
  hasRepeats: 'anyHasSeveral',
  SeriesRow: 'WantedRow',
};

/** Words that may be prose, but not names of variables, parameters, functions, methods and fields. */
const LOCAL_NAMES = {
  asked: 'requested, query',
  kept: 'cached, remaining, stored',
  made: 'created, or the thing itself',
  meant: 'intended',
  odd: 'invalid, unusual',
  refusal: 'exception, rejection',
  shown: 'visible, rendered, loaded',
  told: 'described, reported',
  wish: 'input',
};

/** Parts of camelCase names that stand for nothing else. */
const PARTS = {
  Breather: 'EventLoopYielder',
  Gently: 'Yielding',
  Kept: 'Cached',
  Refusal: 'Exception',
  Wish: 'Input',
};

/** Phrases in any text, and what takes their place. */
const PHRASES = {
  '@Keep\\b': '@Cacheable',
  '\\bMOST_[A-Z_]+': 'MAX_…',
  '\\bLONGEST_[A-Z_]+': 'MAX_…_LENGTH',
  '\\bwho(ever)? asks\\b': 'client, caller, reader',
  '\\bwhat is made of\\b': 'output, result',
  '\\bnobody in particular\\b': 'anonymous',
  '\\bfor anybody\\b': 'for any client',
  '\\bmade[ -]ready\\b': 'pre-rendered',
  '\\bthe turn to write\\b': 'the write lock',
  '\\bgently\\b': 'yielding',
};

const root = fileURLToPath(new URL('..', import.meta.url));
const PLACES =
  'src test web packages examples scripts bench docs README.md ARCHITECTURE.md CONTRIBUTING.md'.split(' ');
const CHECKED = /\.(tsx?|mjs|cjs|md)$/;

/** Recorded data, generated code, and this check with its spec. */
const SKIPPED =
  /(^|\/)(node_modules|dist)$|^test\/(fixtures|unit\/check-words\.spec\.ts)$|^scripts\/check-words\.mjs$|^packages\/client\/src\/schema\.ts$/;

function filesBelow(path) {
  if (SKIPPED.test(path)) return [];
  if (CHECKED.test(path)) return [path];
  if (/\.\w+$/.test(path)) return [];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || CHECKED.test(entry.name) ? filesBelow(`${path}/${entry.name}`) : [],
  );
}

const TEXT_RULES = [
  ...Object.entries(NAMES).map(([word, term]) => ({ word, term, pattern: RegExp(`\\b${word}\\b`, 'g') })),
  ...Object.entries(PARTS).map(([word, term]) => ({
    word,
    term,
    pattern: RegExp(`\\b[a-z]\\w*${word}(?![a-z])`, 'g'),
  })),
  ...Object.entries(PHRASES).map(([word, term]) => ({ word, term, pattern: RegExp(word, 'gi') })),
];

/** Every occurrence of a banned word in a text, as its line and the standard term; of code, declared names as well. */
export function bannedWordsIn(text, path = 'text.md') {
  const inText = text
    .split('\n')
    .flatMap((content, at) =>
      TEXT_RULES.flatMap(({ word, term, pattern }) =>
        [...content.matchAll(pattern)].map(([hit]) => ({ word, term, text: hit, line: at + 1 })),
      ),
    );
  return path.endsWith('.md') ? inText : [...inText, ...bannedNamesIn(text, path)];
}

function bannedNamesIn(text, path) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node) => {
    const { name } = node;
    if (name && ts.isIdentifier(name) && declaresName(node) && Object.hasOwn(LOCAL_NAMES, name.text)) {
      const { line } = source.getLineAndCharacterOfPosition(name.getStart(source));
      found.push({ word: name.text, term: LOCAL_NAMES[name.text], text: name.text, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Members of types and object literals may be those of a stored or sent format. */
function declaresName(node) {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node)
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = PLACES.flatMap(filesBelow).flatMap((path) =>
    bannedWordsIn(readFileSync(join(root, path), 'utf8'), path).map((one) => ({ path, ...one })),
  );
  if (process.argv.includes('--count')) printCounts(found);
  else
    for (const { path, line, text, term } of found) console.error(`${path}:${line}: "${text}": say ${term}`);
  if (found.length > 0) process.exitCode = 1;
}

function printCounts(found) {
  const counts = {};
  for (const { path, word } of found) {
    const key = `${path.split('/').slice(0, -1).slice(0, 2).join('/') || path}: ${word}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  for (const [key, count] of Object.entries(counts).sort()) console.log(`${key}: ${count}`);
}
