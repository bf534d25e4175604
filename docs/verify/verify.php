<?php
// Receives signed webhooks with nothing but PHP's own functions (PHP 8.0 or later).

declare(strict_types=1);

const TOLERANCE = 300; // seconds
const LARGEST_BODY = 64 * 1024; // bytes

final class Refused extends Exception
{
}

/** The event of a genuine notification. $headers as getallheaders() gives them, $body the exact bytes. */
function verify(array $secrets, array $headers, string $body, int $now): array
{
    // Every sender can sign with an empty secret: a variable that was never set must not pass.
    $usable = array_filter($secrets, fn ($secret) => preg_match('/^whsec_[0-9A-Za-z_-]+$/D', (string) $secret) === 1);
    if ($usable === [] || count($usable) < count($secrets)) {
        throw new Refused('no_usable_secret');
    }
    $headers = array_change_key_case($headers);
    $signature = $headers['x-svc-webhook-signature'] ?? null;
    $id = $headers['x-svc-webhook-id'] ?? null;
    if ($signature === null || $id === null) {
        throw new Refused('missing_header');
    }

    // Without D, $ would let a line end pass.
    if (preg_match('/^t=([0-9]{1,15}),sha256=([0-9a-fA-F]{64})$/D', $signature, $parts) !== 1) {
        throw new Refused('malformed_header');
    }
    [, $t, $hex] = $parts;
    if ($now - (int) $t > TOLERANCE) {
        throw new Refused('too_old');
    }
    if ((int) $t - $now > TOLERANCE) {
        throw new Refused('in_the_future');
    }

    $received = hex2bin($hex);
    $matches = false;
    foreach ($secrets as $secret) {
        $matches = hash_equals(hash_hmac('sha256', "$t.$body", $secret, true), $received) || $matches;
    }
    if (!$matches) {
        throw new Refused('no_secret_matched');
    }

    $event = json_decode($body, true);
    if (!is_array($event) || !is_string($event['id'] ?? null)) {
        throw new Refused('malformed_body');
    }
    if ($event['id'] !== $id) {
        throw new Refused('id_mismatch');
    }
    return $event;
}

/** Which events were worked on: a locked file for each, in one folder of one machine. Else: a table. */
final class Seen
{
    /** @var array<string, resource> */
    private array $open = [];

    public function __construct(private string $folder)
    {
    }

    public function claim(string $id): string
    {
        $file = fopen($this->folder . '/' . hash('sha256', $id), 'c+');
        // The lock ends with the process, so one that dies at work keeps no other one away.
        if ($file === false || !flock($file, LOCK_EX | LOCK_NB)) {
            return 'busy';
        }
        if (fread($file, 4) === 'done') {
            return 'repeat';
        }
        $this->open[$id] = $file;
        return 'first';
    }

    public function settle(string $id, bool $done): void
    {
        if ($done) {
            fwrite($this->open[$id], 'done');
        }
        fclose($this->open[$id]);
        unset($this->open[$id]);
    }
}

/** The status to answer: 200 once the work is done, now or before. */
function receive(array $secrets, Seen $seen, callable $work, array $headers, string $body, int $now): int
{
    try {
        $event = verify($secrets, $headers, $body, $now);
    } catch (Refused $refused) {
        error_log('webhook refused: ' . $refused->getMessage());
        return $refused->getMessage() === 'no_usable_secret' ? 500 : 400;
    }
    $turn = $seen->claim($event['id']);
    if ($turn === 'repeat') {
        return 200;
    }
    if ($turn === 'busy') {
        return 503; // a 2xx would say that the event is safe before it is
    }
    $done = false;
    try {
        $work($event);
        $done = true;
    } catch (Throwable $error) {
        error_log("webhook {$event['id']} failed: " . $error->getMessage());
    } finally {
        $seen->settle($event['id'], $done); // unless it is done, the next attempt works again
    }
    return $done ? 200 : 500;
}

/** A whole page. In Laravel and Symfony the body is $request->getContent(). */
function respond(array $secrets, Seen $seen, callable $work): void
{
    $body = file_get_contents('php://input', length: LARGEST_BODY + 1);
    $fits = strlen($body) <= LARGEST_BODY;
    http_response_code($fits ? receive($secrets, $seen, $work, getallheaders(), $body, time()) : 413);
}
