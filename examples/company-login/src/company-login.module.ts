import { Module } from '@nestjs/common';
import { WordPressModule } from 'almanac';
import { CompanyLoginStrategy } from './company-login.strategy.js';
import { Employees } from './employees.js';

@Module({ imports: [WordPressModule], providers: [Employees, CompanyLoginStrategy] })
export default class CompanyLoginModule {}
