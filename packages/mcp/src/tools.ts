import { calendarInfo } from './calendar-info.js';
import { findTool, READS, recordTools } from './record-tools.js';
import type { Tool } from './tool.js';

/** Every tool; those that write have no `readOnlyHint`. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'calendar_info',
    title: 'About this calendar',
    hint: 'Name, time zone and present local time of the calendar, who is signed in and what they may do. Call it before working with words such as "today".',
    annotations: READS,
    run: calendarInfo,
  },
  ...recordTools('events', 'event'),
  ...recordTools('venues', 'venue'),
  ...recordTools('organizers', 'organizer'),
  findTool('categories'),
  findTool('tags'),
];
