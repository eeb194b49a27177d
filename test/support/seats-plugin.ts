import { Body, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  Entity,
  type MigrationInterface,
  PrimaryGeneratedColumn,
  type QueryRunner,
  type Repository,
  Table,
  TableColumn,
} from 'typeorm';

/** A row of a plugin's own table. */
@Entity('acme_seats')
class SeatEntity {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'varchar' })
  name: string;

  @Column({ type: 'int', default: 1 })
  places: number;
}

/** The spec files of a worker share TypeORM, which accepts one entity for a table. */
const shared: typeof globalThis & { SeatEntity?: typeof SeatEntity } = globalThis;
shared.SeatEntity ??= SeatEntity;
export const Seat = shared.SeatEntity;
export type Seat = SeatEntity;

const seats = ({ connection }: QueryRunner) => `${connection.options.entityPrefix}acme_seats`;

/** Makes the table. */
export class CreateSeats1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const id = { name: 'id', type: 'integer', isPrimary: true, isGenerated: true } as const;
    const name = { name: 'name', type: 'varchar', length: '191' };
    await runner.createTable(
      new Table({ name: seats(runner), columns: [{ ...id, generationStrategy: 'increment' }, name] }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(seats(runner));
  }
}

/** Adds a column to it. */
export class AddPlaces1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(seats(runner), new TableColumn({ name: 'places', type: 'integer', default: 1 }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(seats(runner), 'places');
  }
}

@Injectable()
class SeatsService {
  constructor(@InjectRepository(Seat) readonly seats: Repository<Seat>) {}
}

@Controller('seats')
class SeatsController {
  constructor(private readonly service: SeatsService) {}

  @Get()
  list(): Promise<Seat[]> {
    return this.service.seats.find();
  }

  @Post()
  add(@Body() { name }: Pick<Seat, 'name'>): Promise<Seat> {
    return this.service.seats.save({ name });
  }
}

/** A plugin with a table of its own; its migrations are not in the order of their times. */
@Module({
  imports: [TypeOrmModule.forFeature([Seat])],
  providers: [SeatsService],
  controllers: [SeatsController],
})
export class SeatsModule {
  static readonly migrations = [AddPlaces1700000000002, CreateSeats1700000000001];
}
