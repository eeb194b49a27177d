import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `users`: the columns that Almanac writes. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn({ name: 'ID', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'user_login', type: 'varchar', length: 60, default: '' })
  login: string;
  @Column({ name: 'user_pass', type: 'varchar', length: 255, default: '' })
  passHash: string;
  @Column({ name: 'user_nicename', type: 'varchar', length: 50, default: '' })
  nicename: string;
  @Column({ name: 'user_email', type: 'varchar', length: 100, default: '' })
  email: string;
  @Column({ name: 'user_registered', type: 'varchar', length: 19, default: '0000-00-00 00:00:00' })
  registered: string;
  @Column({ name: 'display_name', type: 'varchar', length: 250, default: '' })
  displayName: string;
}

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
