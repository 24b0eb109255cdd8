// A process that answers every request at once and does nothing else: what its answers wait for is the
// machine. Sends its port to its parent.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume();
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
