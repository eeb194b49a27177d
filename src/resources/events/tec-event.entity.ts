import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Length of `tec_events.timezone`. */
export const ZONE_CHARACTERS = 30;

/** A row of `tec_events`: the dates of one event post, copied from its meta. */
@Entity('tec_events')
export class TecEvent {
  @PrimaryGeneratedColumn({ name: 'event_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'post_id', type: 'bigint', unsigned: true })
  postId: number;
  @Column({ name: 'start_date', type: 'varchar', length: 19 })
  startDate: string;
  @Column({ name: 'end_date', type: 'varchar', length: 19, nullable: true })
  endDate: string | null;
  /** Longer values, as PHP may have stored, are truncated. */
  @Column({ type: 'varchar', length: ZONE_CHARACTERS, default: 'UTC' })
  timezone: string;
  @Column({ name: 'start_date_utc', type: 'varchar', length: 19 })
  startDateUtc: string;
  @Column({ name: 'end_date_utc', type: 'varchar', length: 19, nullable: true })
  endDateUtc: string | null;
  /** Seconds, at most 8388607 (the column is a MEDIUMINT). */
  @Column({ type: 'int', default: 7200 })
  duration: number;
  @Column({ type: 'varchar', length: 40 })
  hash: string;
}
