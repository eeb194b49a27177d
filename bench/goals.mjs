/** What each number must not fall below, or exceed, by the number of events; see docs/performance.md. */
const GOALS = {
  hot: same({ rate: 10_000, p99: 10 }),
  'hot 50': same({ rate: 10_000, p99: 10 }),
  304: same({ rate: 15_000 }),
  cold: { 1000: { ratio: 2 }, 100000: { ratio: 2 }, 1000000: { ratio: 1 } },
  busy: { 1000: { ratio: 0.8 }, 100000: { ratio: 0.7 }, 1000000: { p99: 50 } },
  total: { 100000: { ms: 3 }, 1000000: { ms: 10 } },
  far: { 100000: { ms: 15 }, 1000000: { ms: 30 } },
  search: { 100000: { ms: 100 }, 1000000: { ms: 400 } },
  one: same({ ratio: 0.8 }),
  create: same({ ratio: 0.5 }),
  memory: { 1000: { mb: 160 }, 100000: { mb: 220 }, 1000000: { mb: 450 } },
  start: { 1000: { ms: 1500 }, 100000: { ms: 1500 }, 1000000: { ms: 2000 } },
};

const KINDS = {
  rate: { of: (row) => row.value, isEnough: (value, goal) => value >= goal, text: (goal) => `≥ ${goal}/s` },
  ratio: {
    of: (row) => row.ratio,
    isEnough: (value, goal) => value >= goal,
    text: (goal) => `≥ ${goal} × floor`,
  },
  p99: { of: (row) => row.p99, isEnough: (value, goal) => value <= goal, text: (goal) => `p99 ≤ ${goal} ms` },
  ms: { of: (row) => row.value, isEnough: (value, goal) => value <= goal, text: (goal) => `≤ ${goal} ms` },
  mb: { of: (row) => row.value, isEnough: (value, goal) => value <= goal, text: (goal) => `≤ ${goal} MB` },
};

/** Whether the only goal of some work is how long an answer takes. */
export const isForTime = (work, events) => Object.keys(GOALS[work]?.[events] ?? {}).join() === 'p99';

/** The goal of a row as text, and whether it is reached; nothing where there is none. */
export function judged(row) {
  const goals = Object.entries(GOALS[row.work]?.[row.events] ?? {});
  if (goals.length === 0) return {};
  return {
    goal: goals.map(([kind, goal]) => KINDS[kind].text(goal)).join(', '),
    reached: !row.refused && goals.every(([kind, goal]) => KINDS[kind].isEnough(KINDS[kind].of(row), goal)),
  };
}

function same(goals) {
  return { 1000: goals, 100000: goals, 1000000: goals };
}
