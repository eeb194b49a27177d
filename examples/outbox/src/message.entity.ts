import {
  Column,
  Entity,
  type MigrationInterface,
  PrimaryGeneratedColumn,
  type QueryRunner,
  Table,
} from 'typeorm';

/** A change that the receiver has not accepted yet; a higher id is a later change. */
@Entity('acme_outbox')
export class Message {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ name: 'event_id', type: 'integer' })
  event: number;

  @Column({ name: 'change_kind', type: 'varchar', length: 20 })
  change: string;

  @Column({ name: 'changed_at', type: 'datetime' })
  changedAt: Date;
}

/** Its table, which `almanac migrate` makes. */
export class CreateOutbox1890000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const id = {
      name: 'id',
      type: 'integer',
      isPrimary: true,
      isGenerated: true,
      generationStrategy: 'increment',
    } as const;
    const columns = [
      id,
      { name: 'event_id', type: 'integer' },
      { name: 'change_kind', type: 'varchar', length: '20' },
      { name: 'changed_at', type: 'datetime' },
    ];
    const name = `${runner.connection.options.entityPrefix}acme_outbox`;
    await runner.createTable(new Table({ name, columns, indices: [{ columnNames: ['event_id'] }] }));
  }

  async down(): Promise<void> {}
}
