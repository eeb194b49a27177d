// Loaded into a server with --import: writes the functions that ran since the last message, and answers with the message.
import { takeCoverage } from 'node:v8';

process.on('message', (message) => {
  takeCoverage();
  process.send(message);
});
process.channel.unref();
