import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { StartError } from '../../database/start-error.js';
import { Findings } from './findings.js';
import { ListPages, type PendingList } from './list-pages.js';
import { replaceFile } from './report-files.js';
import { SeenRecords, type SeenState } from './seen-records.js';

/** What a walk compares; a resumed walk must match. */
export interface WalkSubject {
  against: string;
  /** URL of Almanac; absent for the configured database. */
  with?: string;
  as?: string;
  sample?: number;
}

interface SavedWalk {
  subject: WalkSubject;
  began: string;
  position: number;
  findings: Findings['state'];
  seen: SeenState;
  lists: Record<string, PendingList>;
}

/** Progress and findings of a walk, in memory and saved to a file. */
export class WalkState {
  position: number;
  readonly began: string;
  readonly findings: Findings;
  readonly seen: SeenRecords;
  readonly lists: ListPages;

  private constructor(
    private readonly file: string,
    private readonly subject: WalkSubject,
    saved?: SavedWalk,
  ) {
    this.position = saved?.position ?? 0;
    this.began = saved?.began ?? new Date().toISOString();
    this.findings = new Findings(saved?.findings);
    this.lists = new ListPages(saved?.lists);
    this.seen = new SeenRecords(`${file.replace(/\.json$/, '')}.records`, saved?.seen);
  }

  /** Starts a walk or loads the saved one; throws `StartError` if it cannot. */
  static async open(file: string, subject: WalkSubject, resume: boolean): Promise<WalkState> {
    if (existsSync(file) && !resume)
      throw new StartError(
        `${file} holds an interrupted walk: add --resume to continue it, or delete the file.`,
      );
    const state = new WalkState(file, subject, existsSync(file) ? readWalk(file, subject) : undefined);
    await state.seen.open();
    await state.save();
    return state;
  }

  /** Saves the state; called while no request is pending. */
  async save(): Promise<void> {
    const { subject, began, position } = this;
    const { findings, seen, lists } = this;
    const states = { findings: findings.state, seen: seen.state, lists: lists.saved() };
    const saved: SavedWalk = { subject, began, position, ...states };
    await replaceFile(this.file, JSON.stringify(saved));
  }

  /** Deletes the files of a finished walk. */
  async remove(): Promise<void> {
    await this.seen.close();
    await rm(this.file, { force: true });
  }
}

function readWalk(file: string, subject: WalkSubject): SavedWalk {
  let saved: SavedWalk;
  try {
    saved = JSON.parse(readFileSync(file, 'utf8')) as SavedWalk;
  } catch {
    throw new StartError(`${file} cannot be read: delete it and begin anew.`);
  }
  const of = ({ against, with: other, as, sample }: WalkSubject) =>
    JSON.stringify([against, other, as, sample]);
  if (saved.subject === undefined || of(saved.subject) !== of(subject))
    throw new StartError(
      `${file} holds a walk with other --against, --with, --as or --sample: repeat those, or delete it.`,
    );
  return saved;
}
