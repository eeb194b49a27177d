import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `options`; many values are PHP-serialised. */
@Entity('options')
export class Option {
  @PrimaryGeneratedColumn({ name: 'option_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'option_name', type: 'varchar', length: 191, default: '' })
  name: string;
  @Column({ name: 'option_value', type: 'text' })
  value: string;
  @Column({ type: 'varchar', length: 20, default: 'yes' })
  autoload: string;
}
