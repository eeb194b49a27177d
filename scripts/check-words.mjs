// Fails on home-made words for things that have a standard term: npm run check:words. allowed-words.json says how often one may still
// occur; `node scripts/check-words.mjs --update` lowers the numbers to what there is, `--all` lists every place.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names of code, whole: what stands left is called as on the right. */
const NAMES = {
  KeptAnswers: 'ResponseCache',
  KeptAnswer: 'CachedResponse',
  keptKey: 'responseCacheKey',
  isPlainRead: 'isCacheableRequest',
  mayBeShared: 'isPubliclyCacheable',
  SHAPING: 'RESPONSE_PARAMS',
  ofUrl: 'getByUrl',
  nameUrl: 'aliasUrl',
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
  Turns: 'Semaphore',
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
  SearchFilter: 'SearchIndex',
  WordTable: 'Dictionary',
  LATELY: 'DEMAND_WINDOW_MS',
  PATIENCE: 'TIMEOUT_MS',
  calledOff: 'isCancelled',
  beginningOf: 'truncate',
  OddAddress: 'InvalidCalendarUrl',
  leadToCalendar: 'redirectToCalendar',
  homeMismatch: 'checkHomeUrl',
  whyRefused: 'systemErrorMessage',
  oneOfTries: 'retry',
  Dice: 'SeededRandom',
};

/** Words and turns of phrase, in whatever case, and what takes their place. */
const PHRASES = {
  '@Keep': '@Cacheable',
  '(its|their|row|the) prints?': 'checksum',
  'MOST_[A-Z_]+': 'MAX_…',
  'LONGEST_[A-Z_]+': 'MAX_…_LENGTH',
  'who(ever)? asks?': 'client, caller, reader',
  'what is made of': 'output, result',
  'nobody in particular': 'anonymous',
  anybody: 'any client, everyone',
  somebody: 'a client, another writer',
  '(is|are|was|were) told': 'receives, reports',
  'made[ -]ready': 'pre-rendered',
  'made[ -]up': 'random, invented',
  kept: 'cached, stored, unchanged',
  '(a|the|its|own|no|each) turns?( to write)?': 'lock, slot',
  '(a|the|each|next|one|no|last) looks?': 'poll',
  gently: 'yielding',
  'breath\\w*': 'yield',
  'wish(es)?': 'input',
  'refusals?': 'exception, rejection',
  asked: 'requested',
  shown: 'rendered, visible',
  'odd(ly)?': 'unusual, invalid',
  meant: 'intended',
  ground: 'fixture',
};

const ALLOWED = new URL('allowed-words.json', import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const PLACES = ['src', 'test', 'docs', 'README.md', 'ARCHITECTURE.md'];
const CHECKED = /\.(ts|tsx|mjs|cjs|md)$/;

/** Recorded data, and the spec of this check. */
const SKIPPED = /^test\/(fixtures|unit\/check-words\.spec\.ts)$/;

function filesBelow(path) {
  if (SKIPPED.test(path)) return [];
  if (CHECKED.test(path)) return [path];
  if (/\.\w+$/.test(path)) return [];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || CHECKED.test(entry.name) ? filesBelow(`${path}/${entry.name}`) : [],
  );
}

const RULES = [
  ...Object.entries(NAMES).map(([word, term]) => ({ word, term, pattern: RegExp(`\\b${word}\\b`, 'g') })),
  ...Object.entries(PHRASES).map(([word, term]) => ({
    word,
    term,
    pattern: RegExp(`(?<!\\w)${word}\\b`, 'gi'),
  })),
];

/** Every occurrence of a banned word in a text, as its word, its line and the standard term. */
export function bannedWordsIn(text) {
  return text
    .split('\n')
    .flatMap((line, at) =>
      RULES.flatMap(({ word, term, pattern }) =>
        [...line.matchAll(pattern)].map(([text]) => ({ word, term, text, line: at + 1 })),
      ),
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = PLACES.flatMap(filesBelow).flatMap((path) =>
    bannedWordsIn(readFileSync(join(root, path), 'utf8')).map((one) => ({ path, ...one })),
  );
  const allowed = readAllowed();
  const counts = {};
  for (const { word } of found) counts[word] = (counts[word] ?? 0) + 1;
  const tooMany = (word) => counts[word] > (allowed[word] ?? 0);
  for (const { path, line, word, text, term } of found)
    if (tooMany(word) || process.argv.includes('--all'))
      console.error(`${path}:${line}: "${text}": say ${term}`);
  for (const [word, count] of Object.entries(counts))
    console.log(`${tooMany(word) ? 'TOO MANY: ' : ''}${word}: ${count}, allowed ${allowed[word] ?? 0}`);
  if (process.argv.includes('--update')) writeAllowed(counts, allowed);
  if (Object.keys(counts).some(tooMany)) process.exitCode = 1;
}

/** How often a word may still occur. */
function readAllowed() {
  return JSON.parse(readFileSync(ALLOWED, 'utf8'));
}

/** Lowers what is allowed to what there is; it never rises. */
function writeAllowed(counts, allowed) {
  const lowered = Object.entries(allowed).map(([word, count]) => [word, Math.min(count, counts[word] ?? 0)]);
  const left = lowered.filter(([, count]) => count > 0);
  writeFileSync(ALLOWED, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`);
}
