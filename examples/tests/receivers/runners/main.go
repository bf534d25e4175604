// Runs docs/verify/verify.go: `vectors FILE` prints a line for each vector, `serve` prints an address and serves.
package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	webhooks "receiver/shown"
)

type vector struct {
	Secrets []string
	Now     int64
	Headers [][2]string
	Body    *string
	BodyHex string `json:"body_hex"`
	Event   struct{ ID string }
}

func main() {
	log.SetOutput(io.Discard)
	if os.Args[1] == "vectors" {
		text, err := os.ReadFile(os.Args[2])
		check(err)
		var file struct{ Vectors []vector }
		check(json.Unmarshal(text, &file))
		for _, each := range file.Vectors {
			fmt.Println(line(each))
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Printf("http://%s/hooks\n", listener.Addr())
	work := func(event webhooks.Event) error {
		_, err := fmt.Println(event["id"])
		return err
	}
	check(http.Serve(listener, webhooks.Handler([]string{os.Getenv("SVC_WEBHOOK_SECRET")}, webhooks.NewSeen(), work)))
}

// One attempt that fails, during which another one arrives; one that succeeds; and one more.
func line(vector vector) string {
	header := http.Header{}
	for _, pair := range vector.Headers {
		header.Add(pair[0], pair[1])
	}
	var body []byte
	if vector.Body != nil {
		body = []byte(*vector.Body)
	} else {
		decoded, err := hex.DecodeString(vector.BodyHex)
		check(err)
		body = decoded
	}
	now, seen, works, meanwhile := time.Unix(vector.Now, 0), webhooks.NewSeen(), 0, "-"
	arrive := func(work func(webhooks.Event) error) int {
		return webhooks.Receive(vector.Secrets, seen, work, header, body, now)
	}
	succeed := func(webhooks.Event) error {
		works++
		return nil
	}
	fail := func(webhooks.Event) error {
		works++
		meanwhile = fmt.Sprint(arrive(succeed))
		return errors.New("failed")
	}
	verdict := "accepted"
	event, err := webhooks.Verify(vector.Secrets, header, body, now)
	if err != nil {
		verdict = err.Error()
	} else if event["id"] != vector.Event.ID {
		verdict = "accepted another event"
	}
	return fmt.Sprintf("%s %s %d,%d,%d %d", verdict, meanwhile, arrive(fail), arrive(succeed), arrive(succeed), works)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
