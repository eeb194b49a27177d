import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `usermeta`: capabilities, application passwords, login sessions. */
@Entity('usermeta')
export class UserMeta {
  @PrimaryGeneratedColumn({ name: 'umeta_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'user_id', type: 'bigint', unsigned: true, default: 0 })
  userId: number;
  @Column({ name: 'meta_key', type: 'varchar', length: 255, nullable: true })
  key: string | null;
  @Column({ name: 'meta_value', type: 'text', nullable: true })
  value: string | null;
}
