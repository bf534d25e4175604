<?php
// Runs docs/verify/verify.php: `vectors FILE` prints a line for each vector; under `php -S` it is the page.

declare(strict_types=1);

require __DIR__ . '/../../../../docs/verify/verify.php';

ini_set('error_log', '/dev/null');

function headers_of(array $vector): array
{
    $headers = [];
    $names = [];
    foreach ($vector['headers'] as [$name, $value]) {
        $known = $names[strtolower($name)] ??= $name;
        $headers[$known] = isset($headers[$known]) ? "{$headers[$known]}, $value" : $value;
    }
    return $headers;
}

function verdict_of(array $vector, array $headers, string $body): string
{
    try {
        $event = verify($vector['secrets'], $headers, $body, $vector['now']);
    } catch (Refused $refused) {
        return $refused->getMessage();
    }
    return $event['id'] === $vector['event']['id'] ? 'accepted' : 'accepted another event';
}

/** One attempt that fails, during which another one arrives; one that succeeds; and one more. */
function line(array $vector, string $folder): string
{
    $headers = headers_of($vector);
    $body = $vector['body'] ?? hex2bin($vector['body_hex']);
    $seen = new Seen($folder);
    $works = 0;
    $meanwhile = '-';
    $arrive = fn (callable $work) => receive($vector['secrets'], $seen, $work, $headers, $body, $vector['now']);
    $succeed = function () use (&$works) {
        $works += 1;
    };
    $fail = function () use (&$works, &$meanwhile, $arrive, $succeed) {
        $works += 1;
        $meanwhile = $arrive($succeed);
        throw new RuntimeException('failed');
    };
    $statuses = implode(',', [$arrive($fail), $arrive($succeed), $arrive($succeed)]);
    return verdict_of($vector, $headers, $body) . " $meanwhile $statuses $works";
}

if (PHP_SAPI === 'cli-server') {
    $work = fn (array $event) => file_put_contents('php://stdout', $event['id'] . "\n");
    respond([getenv('SVC_WEBHOOK_SECRET')], new Seen(getenv('RECEIVER_FOLDER')), $work);
    return;
}

foreach (json_decode(file_get_contents($argv[2]), true)['vectors'] as $place => $vector) {
    $folder = getenv('RECEIVER_FOLDER') . "/$place";
    mkdir($folder);
    echo line($vector, $folder), "\n";
}
