import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `tec_occurrences`: what event lists filter and sort by; one per event without the premium add-on. */
@Entity('tec_occurrences')
export class TecOccurrence {
  @PrimaryGeneratedColumn({ name: 'occurrence_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'event_id', type: 'bigint', unsigned: true })
  eventId: number;
  @Column({ name: 'post_id', type: 'bigint', unsigned: true })
  postId: number;
  @Column({ name: 'start_date', type: 'varchar', length: 19 })
  startDate: string;
  @Column({ name: 'start_date_utc', type: 'varchar', length: 19 })
  startDateUtc: string;
  @Column({ name: 'end_date', type: 'varchar', length: 19 })
  endDate: string;
  @Column({ name: 'end_date_utc', type: 'varchar', length: 19 })
  endDateUtc: string;
  @Column({ type: 'int', default: 7200 })
  duration: number;
  /** sha1 of `post_id:start:end:start_utc:end_utc:duration`. */
  @Column({ type: 'varchar', length: 40 })
  hash: string;
}
