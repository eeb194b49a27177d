import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { createServer, Database, migrate, readEnvironment } from 'almanac';
import sql from 'sql-template-tag';
import {
  Column,
  CreateDateColumn,
  Entity,
  type MigrationInterface,
  MoreThan,
  PrimaryGeneratedColumn,
  type QueryRunner,
  type Repository,
  Table,
} from 'typeorm';
import { describeDatabases, makeSite, type Site } from './support/sites.js';

/** A row with a column of each type that a plugin may have. */
@Entity('acme_values')
class AcmeValue {
  @PrimaryGeneratedColumn() id: number;
  @Column({ type: 'varchar', nullable: true }) name: string | null;
  @Column({ type: 'blob', nullable: true }) bytes: Buffer | null;
  @Column({ nullable: true }) at?: Date;
  @Column({ type: 'date', nullable: true }) day: Date | string | null;
  @Column({ type: 'time', nullable: true }) hour: Date | string | null;
  @Column({ type: 'datetime', nullable: true, transformer: { to: (at) => at, from: (at) => at?.getTime() } })
  epoch: Date | number | null;
  @Column({ type: 'simple-json', nullable: true }) json: object | null;
  @Column({ nullable: true }) flag?: boolean;
  @Column({ type: 'double', nullable: true }) half: number | null;
  @CreateDateColumn({ type: 'datetime', precision: 0, default: () => 'CURRENT_TIMESTAMP' }) created: Date;
}

class CreateValues1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const id = { name: 'id', type: 'integer', isPrimary: true, isGenerated: true } as const;
    const types = {
      name: 'varchar(50)',
      bytes: 'blob',
      at: runner.connection.options.type === 'mysql' ? 'datetime(3)' : 'datetime',
      day: 'date',
      hour: 'time',
      epoch: 'datetime',
      json: 'text',
      flag: 'tinyint',
      half: 'double',
    };
    const created = { name: 'created', type: 'datetime', default: 'CURRENT_TIMESTAMP' };
    const columns = Object.entries(types).map(([name, type]) => ({ name, type, isNullable: true }));
    await runner.createTable(
      new Table({
        name: `${runner.connection.options.entityPrefix}acme_values`,
        columns: [{ ...id, generationStrategy: 'increment' }, ...columns, created],
      }),
    );
  }

  async down(): Promise<void> {}
}

@Module({ imports: [TypeOrmModule.forFeature([AcmeValue])] })
class ValuesModule {
  static readonly migrations = [CreateValues1700000000011];
}

describeDatabases("the values of a plugin's table", (database) => {
  let site: Site;
  let app: NestExpressApplication;
  let values: Repository<AcmeValue>;
  let rows: Database;
  beforeAll(async () => {
    site = await makeSite(database);
    const env = readEnvironment({ DATABASE_URL: site.url, SCHEDULER: 'off' });
    await migrate({ env, plugins: [ValuesModule], say: () => undefined });
    app = await createServer({ env, plugins: [ValuesModule], logger: false });
    await app.init();
    values = app.get<Repository<AcmeValue>>(getRepositoryToken(AcmeValue));
    rows = app.get(Database);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const NOON = new Date('2030-01-15T23:30:00.250Z');
  const stored = async (value: Partial<AcmeValue>) => {
    const { id } = await values.save(values.create(value));
    return values.findOneByOrFail({ id });
  };
  const raw = async (column: string, id: number) => {
    const [row] = await rows.query<{ value: unknown }>(
      sql`SELECT ${rows.column(column)} AS value FROM ${rows.table('acme_values')} WHERE id = ${id}`,
    );
    return row?.value;
  };

  it.each<[string, Partial<AcmeValue>]>([
    ['null', { name: null }],
    ['a text', { name: "O'Hara \\ ö 😀" }],
    ['bytes', { bytes: Buffer.from([0, 1, 39, 92, 255]) }],
    ['no bytes', { bytes: Buffer.alloc(0) }],
    ['a date with milliseconds', { at: NOON }],
    ['JSON', { json: { a: [1, null, 'x'] } }],
    ['true', { flag: true }],
    ['false', { flag: false }],
    ['a half', { half: 0.5 }],
    ['a large whole number', { half: 2 ** 52 + 1 }],
  ])('are read as they were stored: %s', async (_, value) => {
    expect(await stored(value)).toMatchObject(value);
  });

  it.each<[string, unknown, unknown]>([
    ['null', null, null],
    ['undefined', undefined, null],
    ['a Buffer', Buffer.from('abc'), Buffer.from('abc')],
    ['a Uint8Array', new Uint8Array([97, 98]), Buffer.from('ab')],
    ['a date', NOON, '2030-01-15 23:30:00.250'],
    ['true', true, 1],
    ['a bigint', 2n ** 40n, 2 ** 40],
    ['a whole number', 5, 5],
    ['a fraction', 1.5, 1.5],
  ])('are bound in a raw statement: %s', async (_, value, expected) => {
    const [row] = await rows.source.query<{ value: unknown }[]>('SELECT ? AS value', [value]);
    const got = row?.value;
    expect(typeof expected === 'number' ? Number(got) : got).toEqual(expected);
  });

  it('store a whole number in a text column without a fraction', async () => {
    const { id } = await stored({ name: null });
    await rows.source.query(`UPDATE ${rows.nameOf('acme_values')} SET name = ? WHERE id = ${id}`, [5]);
    expect(await raw('name', id)).toBe('5');
  });

  it.each<[string, unknown]>([
    ['an object', { a: 1 }],
    ['a list', [1, 2]],
    ['a function', () => 1],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['an invalid date', new Date('x')],
  ])('are rejected when no column holds them, and the process continues: %s', async (_, value) => {
    await expect(rows.source.query('SELECT ? AS value', [value])).rejects.toThrow(
      'No value of a statement: ',
    );
  });

  it('with an invalid date are rejected and store nothing', async () => {
    const before = await values.count();
    await expect(values.save({ at: new Date('x') })).rejects.toThrow('an invalid date');
    expect(await values.count()).toBe(before);
  });

  it('store dates in UTC in any time zone of the process', async () => {
    expect(new Date(2030, 0, 15).getTimezoneOffset()).not.toBe(0);
    const row = await stored({ at: NOON, day: NOON, hour: NOON, epoch: new Date('2030-07-15T23:30:00Z') });
    expect(row).toMatchObject({ at: NOON, day: '2030-01-15', hour: '23:30:00' });
    expect(row.epoch).toBe(Date.parse('2030-07-15T23:30:00Z'));
    expect(String(await raw('at', row.id)).slice(0, 23)).toBe('2030-01-15 23:30:00.250');
    expect(await raw('day', row.id)).toBe('2030-01-15');
    expect(await raw('hour', row.id)).toBe('23:30:00');
    const written = await stored({ at: '2030-01-15 23:30:00' as unknown as Date });
    expect(written.at).toEqual(new Date('2030-01-15T23:30:00Z'));
    expect(Math.abs(row.created.getTime() - Date.now())).toBeLessThan(600_000);
  });

  it('are found by comparisons of dates', async () => {
    await values.clear();
    const { id } = await stored({ at: NOON });
    const after = (at: number) => values.findBy({ at: MoreThan(new Date(at)) });
    expect([await after(NOON.getTime() - 1), await after(NOON.getTime())]).toMatchObject([[{ id }], []]);
    expect(await values.findOneBy({ at: NOON })).toMatchObject({ id });
  });
});
