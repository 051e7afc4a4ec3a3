// Verifies a webhook. On the command line: WEBHOOK_SECRET=whsec_... go run verify.go ID TIMESTAMP SIGNATURE < body
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// isGenuine reports whether the request was signed with the secret, over exactly these bytes, within the tolerance.
// In an http.Handler: isGenuine(secret, request.Header.Get, body).
func isGenuine(secret string, header func(string) string, body []byte) bool {
	id, timestamp := header("webhook-id"), header("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(header("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}

func main() {
	headers := map[string]string{}
	for i, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if i+1 < len(os.Args) {
			headers[name] = os.Args[i+1]
		}
	}
	header := func(name string) string { return headers[name] }
	body, err := io.ReadAll(os.Stdin)
	if err != nil || !isGenuine(os.Getenv("WEBHOOK_SECRET"), header, body) {
		os.Exit(1)
	}
}
