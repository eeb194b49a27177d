import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `almanac_jobs`: a queued job, or the next run of a periodic one. Times are epoch milliseconds. */
@Entity('almanac_jobs')
export class JobRow {
  @PrimaryGeneratedColumn({ type: 'bigint', unsigned: true })
  id: number;
  @Column({ type: 'varchar', length: 100 })
  name: string;
  /** The name of a periodic job, which has one row. */
  @Column({ name: 'period_of', type: 'varchar', length: 100, nullable: true })
  periodOf: string | null;
  /** JSON. */
  @Column({ type: 'text' })
  payload: string;
  /** When it runs; while it runs, when another process may take it for lost. */
  @Column({ name: 'due_at', type: 'bigint', unsigned: true })
  dueAt: number;
  @Column({ type: 'int', unsigned: true, default: 0 })
  attempts: number;
  /** When the last attempt failed; 0 for jobs that will run. */
  @Column({ name: 'failed_at', type: 'bigint', unsigned: true, default: 0 })
  failedAt: number;
  @Column({ name: 'last_error', type: 'varchar', length: 500, default: '' })
  lastError: string;
}
